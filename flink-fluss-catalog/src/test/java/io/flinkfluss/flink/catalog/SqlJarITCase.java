package io.flinkfluss.flink.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The jar that a user drops into Flink's lib folder: everything inside, nothing in the way. */
class SqlJarITCase {
    /** Everything else has to be relocated, so that it cannot meet another version of itself. */
    private static final List<String> OWN_PLACES =
            List.of("io/flinkfluss/", "org/apache/hadoop/", "com/github/luben/zstd/");

    private static final String SERVICES = "META-INF/services/";

    private static JarFile jar;
    private static Set<String> classes;

    @BeforeAll
    static void open() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            Path path =
                    files.filter(file -> file.toString().endsWith("-sql.jar"))
                            .findFirst()
                            .orElseThrow();
            jar = new JarFile(path.toFile());
        }
        classes =
                jar.stream()
                        .map(JarEntry::getName)
                        .filter(name -> name.endsWith(".class"))
                        .collect(Collectors.toSet());
    }

    @AfterAll
    static void close() throws IOException {
        jar.close();
    }

    @Test
    void everyClassIsInAPlaceOfOurOwn() {
        assertThat(classes).hasSizeGreaterThan(1000);
        assertThat(classes)
                .filteredOn(name -> OWN_PLACES.stream().noneMatch(name::startsWith))
                .isEmpty();
    }

    @Test
    void whatSqlNeedsIsInside() {
        assertThat(classes)
                .contains(
                        "io/flinkfluss/flink/catalog/FlussCatalog.class",
                        "io/flinkfluss/flink/source/FlussSource.class",
                        "io/flinkfluss/flink/sink/FlussSink.class",
                        "io/flinkfluss/flink/lookup/FlussAsyncLookupFunction.class",
                        "io/flinkfluss/flink/unionread/UnionSource.class",
                        "io/flinkfluss/lake/iceberg/IcebergFormat.class",
                        "io/flinkfluss/storage/client/FlussClient.class",
                        "io/flinkfluss/shaded/org/apache/iceberg/Table.class",
                        "io/flinkfluss/shaded/org/apache/parquet/hadoop/ParquetReader.class",
                        "io/flinkfluss/shaded/org/apache/arrow/vector/VectorSchemaRoot.class",
                        "io/flinkfluss/shaded/com/esotericsoftware/kryo/Kryo.class",
                        "org/apache/hadoop/conf/Configuration.class");
    }

    @Test
    void everyServiceThatIsNamedExists() throws IOException {
        List<JarEntry> services =
                jar.stream()
                        .filter(entry -> entry.getName().startsWith(SERVICES))
                        .filter(entry -> !entry.isDirectory())
                        .toList();
        assertThat(services)
                .extracting(JarEntry::getName)
                .contains(
                        SERVICES + "org.apache.flink.table.factories.Factory",
                        SERVICES + "io.flinkfluss.lake.LakeFormat",
                        SERVICES + "io.flinkfluss.shaded.io.grpc.ManagedChannelProvider",
                        SERVICES + "org.apache.hadoop.fs.FileSystem");
        for (JarEntry service : services) {
            String text =
                    new String(jar.getInputStream(service).readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text.lines().map(line -> line.replaceAll("#.*", "").strip()))
                    .as(service.getName())
                    .filteredOn(line -> !line.isEmpty())
                    .filteredOn(line -> line.startsWith("io.flinkfluss."))
                    .allMatch(name -> classes.contains(name.replace('.', '/') + ".class"));
        }
    }

    @Test
    void nettyFindsItsNativeLibrary() {
        assertThat(jar.stream().map(JarEntry::getName))
                .contains(
                        "META-INF/native/libio_flinkfluss_shaded_io_grpc_netty_shaded_netty_transport"
                                + "_native_epoll_x86_64.so");
    }

    @Test
    void noSignatureOfAnotherJarIsLeft() {
        assertThat(jar.stream().map(JarEntry::getName))
                .noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|DSA|RSA)"));
    }
}
