// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutePatternTest {
    @ParameterizedTest
    @CsvSource({
        "/orders,/orders,true",
        "/orders,/orders/,false",
        "/orders,/orders/1,false",
        "/orders,/Orders,false",
        "/orders/{id},/orders/1,true",
        "/orders/{id},/orders/,false",
        "/orders/{id},/orders/1/2,false",
        "/orders/*,/orders/1,true",
        "/orders/*,/orders,false",
        "/orders/**,/orders,true",
        "/orders/**,/orders/,true",
        "/orders/**,/orders/1/2,true",
        "/orders/**,/ordersX,false",
        "/orders/{id}/lines/**,/orders/1/lines/2/3,true",
        "/orders/{id}/lines/**,/orders/1/2,false",
        "/orders,/%6frders,true",
        "/orders,/%6Frders,true",
        "/orders/{id},/orders/%2f,true",
        "/a%2fb,/a%2fb,true",
        "/orders,/orders%,false",
        "/**,/,true",
        "/**,/a/b,true",
    })
    void itMatchesItsPaths(String pattern, String path, boolean matches) {
        assertThat(RoutePattern.of(pattern).matches(path)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({
        "/**,/v1,true",
        "/v1,/v1,true",
        "/v1/orders,/v1,true",
        "/v1x,/v1,false",
        "/*,/v1,true",
        "/{any}/orders,/v1,true",
        "/api/**,/api/ledger,true",
        "/api/orders/**,/api/ledger,false",
        "/api,/api/ledger,false",
        "/api/{x},/api/ledger,true",
        "/orders/**,/v1,false",
    })
    void itOverlapsPathsBelowAPath(String pattern, String own, boolean overlaps) {
        assertThat(RoutePattern.of(pattern).overlaps(own)).isEqualTo(overlaps);
    }

    @ParameterizedTest
    @CsvSource({
        "/orders/**,/orders/{id},true",
        "/orders/**,/orders,true",
        "/orders/**,/orders/a/**,true",
        "/orders/*,/orders/{id},true",
        "/orders/{id},/orders/*,true",
        "/orders/{id},/orders/1,true",
        "/orders/1,/orders/{id},false",
        "/orders/{id},/orders/**,false",
        "/orders/{id}/**,/orders/**,false",
        "/a/**,/b/**,false",
    })
    void itCoversALaterRouteThatWouldGetNoRequests(String first, String second, boolean covers) {
        assertThat(RoutePattern.of(first).covers(RoutePattern.of(second))).isEqualTo(covers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "orders", "/a b", "/ö", "/a?b", "/a#b", "/a\\b", "/{", "/{}", "/a{b}", "/a*", "/**/a", "/a/**b"
            })
    void malformedPatternsAreRejected(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> RoutePattern.of(text));
    }
}
