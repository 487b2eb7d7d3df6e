// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DynamoUrlTest {
    @ParameterizedTest
    @CsvSource({
        "dynamodb://eu-central-1/semel_claims, dynamodb://eu-central-1/semel_claims",
        "dynamodb://us-gov-west-1/a.b-c_D9, dynamodb://us-gov-west-1/a.b-c_D9",
        "dynamodb://eusc-de-east-1/abc, dynamodb://eusc-de-east-1/abc",
        "dynamodb://local/abc?endpoint=http://127.0.0.1:8000/, dynamodb://local/abc?endpoint=http://127.0.0.1:8000",
        "dynamodb://eu-west-1/abc?endpoint=https%3A%2F%2F[::1]:8000, dynamodb://eu-west-1/abc?endpoint=https://[::1]:8000",
        "dynamodb://eu-west-1/abc?endpoint=https://a.example, dynamodb://eu-west-1/abc?endpoint=https://a.example"
    })
    void acceptsRegionTableAndEndpoint(String url, String shown) {
        DatabaseSettings settings = settings(url);
        assertThat(settings.dynamo()).isPresent();
        assertThat(settings.shownUrl()).isEqualTo(shown);
        assertThat(settings.isSqlite()).isFalse();
        assertThat(settings.file()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dynamodb:secret",
                "DYNAMODB://eu-central-1/secret",
                "dynamodb://secret",
                "dynamodb://eu-central-1/",
                "dynamodb://eu-central-1/ab",
                "dynamodb://local/secret",
                "dynamodb://secret/claims",
                "dynamodb://eu-central-1:443/secret",
                "dynamodb://key:secret@eu-central-1/claims",
                "dynamodb://eu-central-1/claims/secret",
                "dynamodb://eu-central-1/claims%20secret",
                "dynamodb://eu-central-1/claims?secret",
                "dynamodb://eu-central-1/claims?",
                "dynamodb://eu-central-1/claims?secretAccessKey=secret",
                "dynamodb://eu-central-1/claims?endpoint=http://127.0.0.1:8000&secretAccessKey=secret",
                "dynamodb://eu-central-1/claims?endpoint=http://key:secret@127.0.0.1:8000",
                "dynamodb://eu-central-1/claims?endpoint=http://key%3Asecret%40127.0.0.1:8000",
                "dynamodb://eu-central-1/claims?endpoint=http://127.0.0.1:8000/secret",
                "dynamodb://eu-central-1/claims?endpoint=http://127.0.0.1:8000%3Fsecret",
                "dynamodb://eu-central-1/claims?endpoint=http://127.0.0.1:8000%23secret",
                "dynamodb://eu-central-1/claims?endpoint=http://127.0.0.1:99999",
                "dynamodb://eu-central-1/claims?endpoint=%zzsecret",
                "dynamodb://eu-central-1/claims?endpoint=secret",
                "dynamodb://eu-central-1/claims?endpoint=ftp://secret",
                "dynamodb://eu-central-1/claims#secret"
            })
    void refusesOthersWithoutShowingThem(String url) {
        assertThatThrownBy(() -> settings(url))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--database-url")
                .hasMessageMatching(
                        "(?s).*(dynamodb://eu-central-1/semel_claims|AWS_ACCESS_KEY_ID|\\?endpoint=http://127.0.0.1:8000).*")
                .hasMessageNotContaining("secret");
    }

    @Test
    void credentialsAndSchemaHaveNoPlaceInTheSettings() {
        String url = "dynamodb://eu-central-1/claims";
        assertThatThrownBy(() -> new DatabaseSettings(url, Optional.of("me"), Optional.empty(), Optional.empty(), 2))
                .hasMessageContaining("AWS_ACCESS_KEY_ID");
        assertThatThrownBy(() -> new DatabaseSettings(
                        url, Optional.empty(), Optional.of(new SecretText("secret")), Optional.empty(), 2))
                .hasMessageContaining("AWS_ACCESS_KEY_ID")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> new DatabaseSettings(url, Optional.empty(), Optional.empty(), Optional.of("semel"), 2))
                .hasMessageContaining("on DynamoDB, name another table");
    }

    private static DatabaseSettings settings(String url) {
        return new DatabaseSettings(url, Optional.empty(), Optional.empty(), Optional.empty(), 2);
    }
}
