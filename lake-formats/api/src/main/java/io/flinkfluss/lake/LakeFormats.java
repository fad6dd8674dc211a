package io.flinkfluss.lake;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** Finds the lake formats that are on the class path. */
public final class LakeFormats {
    /** The setting that names the format. */
    public static final String FORMAT = "format";

    private LakeFormats() {}

    /**
     * Opens the lake that the storage service (or the tiering job's arguments) names.
     *
     * @param settings {@code format}, and what that format asks for, for example {@code type} and
     *     {@code warehouse}
     * @throws StorageException INVALID_OPTION when no format is named or it is not on the class
     *     path, and what {@link LakeFormat#open} throws
     */
    public static LakeCatalog open(Map<String, String> settings) {
        String name = settings.getOrDefault(FORMAT, "").trim().toLowerCase(Locale.ROOT);
        Map<String, LakeFormat> found = available(name);
        if (name.isEmpty()) {
            throw new StorageException(
                    ErrorCode.INVALID_OPTION,
                    "no lake is set: the setting datalake.format is empty; formats on the class"
                            + " path: "
                            + found.keySet()
                            + ". Start the storage service with -D datalake.format=iceberg and -D"
                            + " datalake.iceberg.warehouse=<folder or URI>");
        }
        LakeFormat format = found.get(name);
        if (format == null) {
            throw new StorageException(
                    ErrorCode.INVALID_OPTION,
                    "the lake format '"
                            + name
                            + "' is not on the class path; found: "
                            + found.keySet()
                            + ". Set datalake.format to one of these or add the jar of that"
                            + " format");
        }
        return format.open(settings);
    }

    /**
     * Formats by name: those beside this class, and when the wanted one is not among them, those
     * that the thread's class loader adds.
     */
    private static Map<String, LakeFormat> available(String wanted) {
        Map<String, LakeFormat> found = new TreeMap<>();
        add(LakeFormats.class.getClassLoader(), found);
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        if (!found.containsKey(wanted) && ofThread != null) {
            try {
                add(ofThread, found);
            } catch (ServiceConfigurationError e) {
                // that class loader has its own copy of this module, whose formats do not fit here
            }
        }
        return found;
    }

    private static void add(ClassLoader loader, Map<String, LakeFormat> found) {
        for (LakeFormat format : ServiceLoader.load(LakeFormat.class, loader)) {
            found.putIfAbsent(format.name(), format);
        }
    }
}
