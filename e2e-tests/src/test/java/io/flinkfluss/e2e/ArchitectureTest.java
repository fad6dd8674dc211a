package io.flinkfluss.e2e;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Instant;
import java.util.concurrent.Executors;

/** The layout of docs/architecture.md as rules. */
@AnalyzeClasses(packages = "io.flinkfluss", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final String API = "io.flinkfluss.storage.api..";
    private static final String SERVER = "io.flinkfluss.storage.server..";
    private static final String CLIENT = "io.flinkfluss.storage.client..";

    @ArchTest
    static final ArchRule LAYERS =
            Architectures.layeredArchitecture()
                    .consideringOnlyDependenciesInLayers()
                    .layer("api")
                    .definedBy(API)
                    .layer("server")
                    .definedBy(SERVER)
                    .layer("client")
                    .definedBy(CLIENT)
                    .layer("lake")
                    .definedBy("io.flinkfluss.lake")
                    .layer("iceberg")
                    .definedBy("io.flinkfluss.lake.iceberg..")
                    .layer("flink")
                    .definedBy("io.flinkfluss.flink..")
                    .layer("cli")
                    .definedBy("io.flinkfluss.cli..")
                    .whereLayer("server")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("iceberg")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("client")
                    .mayOnlyBeAccessedByLayers("flink", "cli")
                    .whereLayer("flink")
                    .mayOnlyBeAccessedByLayers("cli")
                    .because(
                            "server and client meet only in the api, and lake libraries only behind the lake SPI");

    @ArchTest
    static final ArchRule FLINK_MODULES =
            slices().matching("io.flinkfluss.flink.(*)..")
                    .namingSlices("flink module $1")
                    .should()
                    .beFreeOfCycles()
                    .because(
                            "source, sink, lookup, union read and tiering build on the shared packages, the catalog on all");

    @ArchTest
    static final ArchRule SIBLINGS =
            noClasses()
                    .that()
                    .resideInAnyPackage(
                            "io.flinkfluss.flink.source..",
                            "io.flinkfluss.flink.sink..",
                            "io.flinkfluss.flink.lookup..",
                            "io.flinkfluss.flink.tiering..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "io.flinkfluss.flink.catalog..", "io.flinkfluss.flink.unionread..")
                    .because(
                            "the catalog is the composition root and union read builds on the source, never the other way round");

    @ArchTest
    static final ArchRule NO_KNOTS =
            slices().matching("io.flinkfluss.(**)")
                    .should()
                    .beFreeOfCycles()
                    .because("packages that import each other can only be understood together");

    @ArchTest
    static final ArchRule ROCKSDB = caged("org.rocksdb..", "io.flinkfluss.storage.server.kv..");

    @ArchTest
    static final ArchRule RATIS =
            caged("org.apache.ratis..", "io.flinkfluss.storage.server.replication..");

    @ArchTest
    static final ArchRule GRPC =
            caged(
                    "io.grpc..",
                    "io.flinkfluss.storage.server.transport..",
                    "io.flinkfluss.storage.client.transport..");

    @ArchTest
    static final ArchRule ICEBERG =
            caged(
                    "org.apache.iceberg..",
                    "io.flinkfluss.lake.iceberg..",
                    "io.flinkfluss.storage.server.remote..");

    @ArchTest
    static final ArchRule ICEBERG_IN_SERVER =
            noClasses()
                    .that()
                    .resideInAPackage(SERVER)
                    .should()
                    .dependOnClassesThat(
                            are(resideInAPackage("org.apache.iceberg.."))
                                    .and(
                                            resideOutsideOfPackages(
                                                    "org.apache.iceberg.io",
                                                    "org.apache.iceberg.exceptions")))
                    .because(
                            "the server uses Iceberg's interfaces of files, not of tables (docs/adr/0007)");

    @ArchTest
    static final ArchRule HADOOP = caged("org.apache.hadoop..", "io.flinkfluss.lake.iceberg..");

    @ArchTest
    static final ArchRule FLINK =
            caged("org.apache.flink..", "io.flinkfluss.flink..", "io.flinkfluss.cli..");

    @ArchTest
    static final ArchRule KRYO =
            caged(
                    "com.esotericsoftware..",
                    "io.flinkfluss.flink.state..",
                    "io.flinkfluss.flink.source.split..",
                    "io.flinkfluss.flink.source.enumerator..",
                    "io.flinkfluss.flink.unionread.split..");

    @ArchTest
    static final ArchRule ARROW_IN_API =
            noClasses()
                    .that(
                            are(resideInAPackage(API))
                                    .and(
                                            resideOutsideOfPackages(
                                                    "io.flinkfluss.storage.api.wire..",
                                                    "io.flinkfluss.storage.api.testkit..")))
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.apache.arrow..")
                    .because("the roles and values of the api are plain Java");

    @ArchTest
    static final ArchRule TABLE_VALUES =
            classes()
                    .that()
                    .resideInAPackage("io.flinkfluss.storage.api.table")
                    .and()
                    .arePublic()
                    .and()
                    .areTopLevelClasses()
                    .and()
                    .areNotInterfaces()
                    .and()
                    .areNotEnums()
                    .and()
                    .haveSimpleNameNotEndingWith("Rules")
                    .and()
                    .haveSimpleNameNotContaining("package-info")
                    .should()
                    .beRecords()
                    .because("data is a record that checks itself");

    @ArchTest
    static final ArchRule FINAL =
            classes()
                    .that()
                    .arePublic()
                    .and()
                    .areTopLevelClasses()
                    .and()
                    .areNotInterfaces()
                    .and()
                    .areNotEnums()
                    .and()
                    .areNotRecords()
                    .and()
                    .doNotHaveModifier(JavaModifier.ABSTRACT)
                    .and()
                    .haveSimpleNameNotContaining("package-info")
                    .should()
                    .haveModifier(JavaModifier.FINAL)
                    .because("nothing here is made to be extended by chance");

    @ArchTest
    static final ArchRule CLOCK =
            noClasses()
                    .that()
                    .resideInAnyPackage(SERVER)
                    .and()
                    .resideOutsideOfPackage("io.flinkfluss.storage.server.runtime..")
                    .should()
                    .callMethod(System.class, "currentTimeMillis")
                    .orShould()
                    .callMethod(System.class, "nanoTime")
                    .orShould()
                    .callMethod(Instant.class, "now")
                    .orShould()
                    .callConstructor(Thread.class, Runnable.class)
                    .orShould()
                    .callConstructor(Thread.class, Runnable.class, String.class)
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Executors.class)
                    .because("state machines replay: time and threads come from runtime only");

    @ArchTest
    static final ArchRule STREAMS =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            "io.flinkfluss.cli..",
                            "io.flinkfluss.storage.server",
                            "io.flinkfluss.verify",
                            "io.flinkfluss.benchmarks",
                            "io.flinkfluss.benchmarks.driver")
                    .should(ACCESS_STANDARD_STREAMS)
                    .because("only the main programs talk to a terminal");

    @ArchTest
    static final ArchRule ONE_EXCEPTION =
            noClasses()
                    .that()
                    .resideInAnyPackage("io.flinkfluss.storage..")
                    .and()
                    .doNotHaveFullyQualifiedName(StorageException.class.getName())
                    .should()
                    .beAssignableTo(Throwable.class)
                    .because("callers ask one exception for its code and kind");

    private static ArchRule caged(String library, String... rooms) {
        DescribedPredicate<JavaClass> outside = resideOutsideOfPackages(rooms);
        return noClasses()
                .that(outside)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .because(
                        "one door per outside system: only "
                                + String.join(", ", rooms)
                                + " may touch "
                                + library);
    }
}
