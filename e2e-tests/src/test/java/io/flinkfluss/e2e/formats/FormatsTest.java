package io.flinkfluss.e2e.formats;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.flinkfluss.flink.source.enumerator.EnumeratorForms;
import io.flinkfluss.flink.source.split.SplitForms;
import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.server.level.FormatLevel;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every {@link Format} constant in the product, held to the rules of docs/formats/README.md: nobody
 * adds a version without a sample and a row in the page.
 */
final class FormatsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGES = ROOT.resolve("docs/formats");

    private static List<Format> formats;
    private static List<String> samples;

    @BeforeAll
    static void findAll() throws IOException {
        formats =
                new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("io.flinkfluss")
                                .stream()
                                .flatMap(type -> type.getFields().stream())
                                .filter(field -> field.getRawType().isEquivalentTo(Format.class))
                                .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
                                .map(FormatsTest::value)
                                .sorted(Comparator.comparing(Format::name))
                                .toList();
        assertThat(formats).hasSizeGreaterThan(30);
        samples = new ArrayList<>();
        for (String module : List.of("storage-service/api", "storage-service/server")) {
            Path folder = ROOT.resolve(module).resolve("src/test/resources/formats");
            try (Stream<Path> files = Files.walk(folder, 2)) {
                files.map(file -> file.getFileName().toString()).forEach(samples::add);
            }
        }
    }

    @Test
    void eachNameMeansOneFormat() {
        assertThat(formats.stream().map(Format::name).toList()).doesNotHaveDuplicates();
    }

    @TestFactory
    Stream<DynamicTest> everyVersionHasASample() {
        return everyVersion(
                (format, version) -> assertThat(samples).anyMatch(sampleOf(format, version)));
    }

    /** The samples' own tests see to it that no file is left untested. */
    private static java.util.function.Predicate<String> sampleOf(Format format, int version) {
        String name = format.name().replace(' ', '-');
        String end = "-v" + version + ".hex";
        return file ->
                file.endsWith(end)
                        && file.startsWith(name)
                        && (file.length() == name.length() + end.length()
                                || file.charAt(name.length()) == '.');
    }

    @TestFactory
    Stream<DynamicTest> everyVersionIsInItsPage() {
        return everyVersion(
                (format, version) ->
                        assertRow(format.page(), "| " + format.name() + " | " + version + " |"));
    }

    @Test
    void everyVersionOfFlinksStateIsInItsPageAndHasASample() throws IOException {
        assertState("source split", SplitForms.serializer().getVersion(), "split-log", "split-kv");
        assertState("source enumerator", EnumeratorForms.serializer().getVersion(), "enumerator");
    }

    private static void assertState(String name, int newest, String... samples) throws IOException {
        Path folder = ROOT.resolve("flink-fluss-source/src/test/resources/state");
        for (int version = 1; version <= newest; version++) {
            assertRow("flink-state.md", "| " + name + " | " + version + " |");
            for (String sample : samples) {
                assertThat(folder.resolve(sample + "-v" + version + ".hex")).exists();
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> everyLevelIsInThePage() {
        return Stream.of(FormatLevel.values())
                .map(
                        level ->
                                DynamicTest.dynamicTest(
                                        "level " + level.number(),
                                        () ->
                                                assertRow(
                                                        "README.md",
                                                        "| "
                                                                + level.number()
                                                                + " | "
                                                                + level.release()
                                                                + " |")));
    }

    /** That of the newest level is written when its release is made. */
    @Test
    void everyReleasedLevelHasADataDirectory() {
        for (int level = 1; level < FormatLevel.values().length; level++) {
            assertThat(Path.of("src/test/resources/formats/data-directory-v" + level + ".zip"))
                    .exists();
        }
    }

    private static void assertRow(String page, String beginning) throws IOException {
        assertThat(Files.readAllLines(PAGES.resolve(page)))
                .as("a row of the table of versions in docs/formats/%s", page)
                .anyMatch(line -> line.startsWith(beginning));
    }

    /** What must hold for one version of a format. */
    private interface Check {
        void check(Format format, int version) throws IOException;
    }

    private static Stream<DynamicTest> everyVersion(Check check) {
        return formats.stream()
                .flatMap(
                        format ->
                                IntStream.rangeClosed(format.oldest(), format.newest())
                                        .mapToObj(
                                                version ->
                                                        DynamicTest.dynamicTest(
                                                                format.name() + " " + version,
                                                                () ->
                                                                        check.check(
                                                                                format, version))));
    }

    private static Format value(JavaField constant) {
        try {
            Field field = constant.reflect();
            field.setAccessible(true);
            return (Format) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(constant.getFullName(), e);
        }
    }
}
