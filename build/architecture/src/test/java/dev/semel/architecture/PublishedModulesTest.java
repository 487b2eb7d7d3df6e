// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The modules that are published are in the BOM, and have what a public repository requires. */
class PublishedModulesTest {
    /** Published, but not for a class path: the server is an application. The BOM does not contain itself. */
    private static final Set<String> NOT_LIBRARIES = Set.of("semel-server", "semel-bom");

    private static final List<String> SKIPS =
            List.of("maven.deploy.skip", "maven.install.skip", "maven.source.skip", "maven.javadoc.skip");

    private static final XPath XPATH = XPathFactory.newInstance().newXPath();

    @Test
    void theBomContainsEveryPublishedLibrary() throws Exception {
        Set<String> published = new TreeSet<>();
        for (Document module : modules()) {
            if (text(module, "/project/properties/maven.deploy.skip").isEmpty()) {
                published.add(text(module, "/project/artifactId"));
            }
        }
        published.removeAll(NOT_LIBRARIES);

        Document bom = pom(SourceFiles.ROOT.resolve("bom"));
        assertThat(published).hasSizeGreaterThan(10);
        assertThat(texts(bom, "/project/dependencyManagement/dependencies/dependency/artifactId"))
                .containsExactlyElementsOf(published);
        assertThat(texts(bom, "//dependency/version")).containsOnly("${project.version}");
    }

    /** With a parent, it would also set the versions of other libraries in the applications that import it. */
    @Test
    void theBomHasNoParentAndTheVersionOfTheOthers() throws Exception {
        Document bom = pom(SourceFiles.ROOT.resolve("bom"));

        assertThat(text(bom, "/project/parent/artifactId")).isEmpty();
        assertThat(text(bom, "/project/version")).isEqualTo(text(pom(SourceFiles.ROOT), "/project/version"));
    }

    @Test
    void everyModuleSaysWhatItIs() throws Exception {
        for (Document module : modules()) {
            String artifact = text(module, "/project/artifactId");
            assertThat(text(module, "/project/name")).as("name of %s", artifact).isNotEmpty();
            assertThat(text(module, "/project/description"))
                    .as("description of %s", artifact)
                    .isNotEmpty();
        }
    }

    @Test
    void aModuleThatIsNotPublishedIsNotInstalledEither() throws Exception {
        for (Document module : modules()) {
            if (!text(module, "/project/properties/maven.deploy.skip").isEmpty()) {
                assertThat(SKIPS)
                        .as("properties of %s", text(module, "/project/artifactId"))
                        .allMatch(skip ->
                                text(module, "/project/properties/" + skip).equals("true"));
            }
        }
    }

    @Test
    void parentAndBomHaveWhatAPublicRepositoryRequires() throws Exception {
        for (Path folder : List.of(SourceFiles.ROOT, SourceFiles.ROOT.resolve("bom"))) {
            Document pom = pom(folder);
            for (String required : List.of(
                    "name",
                    "description",
                    "url",
                    "licenses/license/name",
                    "licenses/license/url",
                    "developers/developer/name",
                    "scm/connection",
                    "scm/url")) {
                assertThat(text(pom, "/project/" + required))
                        .as("%s in %s", required, folder)
                        .isNotEmpty();
            }
        }
    }

    private static List<Document> modules() throws Exception {
        List<String> folders = texts(pom(SourceFiles.ROOT), "/project/modules/module");
        List<Document> modules = new ArrayList<>();
        for (String folder : folders) {
            modules.add(pom(SourceFiles.ROOT.resolve(folder)));
        }
        return modules;
    }

    private static Document pom(Path folder) throws Exception {
        try (InputStream content = Files.newInputStream(folder.resolve("pom.xml"))) {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(content);
        } catch (IOException e) {
            throw new IOException("Cannot read the pom.xml in " + folder, e);
        }
    }

    private static String text(Document pom, String path) {
        try {
            return XPATH.evaluate(path, pom).strip();
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException("Not an XPath: " + path, e);
        }
    }

    private static List<String> texts(Document pom, String path) throws XPathExpressionException {
        NodeList nodes = (NodeList) XPATH.evaluate(path, pom, XPathConstants.NODESET);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent().strip());
        }
        return texts;
    }
}
