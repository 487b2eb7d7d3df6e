// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.NotDoneException;
import dev.semel.spring.CurrentRun;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** {@code @Idempotent} on methods of beans. */
public abstract class MethodCases {
    private final Shop shop = SharedShop.get().shop();

    @Test
    void nullInsideAKeyIsRefused() {
        assertThat(shop.monthly("acme", "2026-01")).isEqualTo("acme2026-01");
        assertThatThrownBy(() -> shop.monthly("acme", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("A part of key")
                .hasMessageContaining("did not run");
    }

    @Test
    void duplicateReturnsTheStoredResult() {
        ShopOrder first = shop.create(OrderRequest.of("m-1", 10));
        ShopOrder again = shop.create(OrderRequest.of("m-1", 10));

        assertThat(again).isEqualTo(first).isNotSameAs(first);
        assertThat(shop.runs("m-1")).isEqualTo(1);
        assertThat(SharedShop.database().orders("m-1")).isEqualTo(1);
    }

    @Test
    void renamedMethodStillDeduplicates() {
        ShopOrder first = shop.create(OrderRequest.of("m-2", 10));

        assertThat(shop.placeOrder(OrderRequest.of("m-2", 10))).isEqualTo(first);
        assertThat(shop.runs("m-2")).isEqualTo(1);
    }

    @Test
    void anotherRequestUnderTheSameKeyIsAMismatch() {
        shop.create(OrderRequest.of("m-3", 10));

        assertThatThrownBy(() -> shop.create(OrderRequest.of("m-3", 11))).isInstanceOf(NotDoneException.Mismatch.class);
    }

    @Test
    void voidNullOptionalGenericAndPrimitiveResultsAreReplayed() {
        shop.nothing("m-4");
        shop.nothing("m-4");
        assertThat(shop.nothingFound("m-5")).isNull();
        assertThat(shop.nothingFound("m-5")).isNull();
        assertThat(shop.find("m-6", true)).isEqualTo(shop.find("m-6", false)).isPresent();
        assertThat(shop.find("m-7", false)).isEqualTo(shop.find("m-7", true)).isEmpty();
        assertThat(shop.list("m-8")).isEqualTo(shop.list("m-8")).containsExactly(Map.of("a", 1), Map.of("b", 2));
        assertThat(shop.number(9)).isEqualTo(shop.number(9)).isEqualTo(42);

        assertThat(List.of("m-4", "m-5", "m-6", "m-7", "m-8", "n9"))
                .allSatisfy(key -> assertThat(shop.runs(key)).isEqualTo(1));
    }

    @Test
    void futureIsReplayedAndItsFailureIsNot() throws Exception {
        assertThatThrownBy(() -> shop.future("m-10", true).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalArgumentException.class);
        List<Integer> first = shop.future("m-10", false).get();

        assertThat(shop.future("m-10", true).get()).isEqualTo(first);
        assertThat(shop.runs("m-10")).isEqualTo(2);
    }

    @Test
    void exceptionReachesTheCallerUnchangedAndTheNextCallRuns() throws Exception {
        assertThatThrownBy(() -> shop.fails("m-11"))
                .isExactlyInstanceOf(Shop.OutOfStockException.class)
                .hasMessage("sold out");

        assertThat(shop.fails("m-11")).isEqualTo("ran 2");
        assertThat(shop.fails("m-11")).isEqualTo("ran 2");
    }

    @Test
    void rejectionIsReplayedWithItsDetails() {
        for (int call = 0; call < 2; call++) {
            assertThatThrownBy(() -> shop.rejects("m-12"))
                    .isInstanceOfSatisfying(NotDoneException.Rejected.class, e -> {
                        assertThat(e.code()).isEqualTo("INSUFFICIENT_FUNDS");
                        assertThat(e.rejection().details(Map.class)).hasToString("Optional[{missing=5}]");
                    });
        }
        assertThat(shop.runs("m-12")).isEqualTo(1);
    }

    @Test
    void rejectionOfAPrimitiveResultIsReplayed() {
        assertThatThrownBy(() -> shop.rejectsNumber("m-17", false)).isExactlyInstanceOf(NullPointerException.class);
        for (int call = 0; call < 2; call++) {
            assertThatThrownBy(() -> shop.rejectsNumber("m-17", true))
                    .isInstanceOfSatisfying(
                            NotDoneException.Rejected.class,
                            e -> assertThat(e.code()).isEqualTo("OUT_OF_STOCK"));
        }
        assertThat(shop.runs("m-17")).isEqualTo(2);
    }

    @Test
    void duplicateOfARunningCallIsInProgress() throws Exception {
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> {
            try {
                return shop.blocks("m-13");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Awaitility.await().until(() -> shop.runs("m-13") == 1);

        assertThatThrownBy(() -> shop.blocks("m-13")).isInstanceOf(NotDoneException.InProgress.class);
        shop.gate().release();
        assertThat(first.get()).isEqualTo("done");
        assertThat(shop.blocks("m-13")).isEqualTo("done");
        assertThat(shop.runs("m-13")).isEqualTo(1);
    }

    @Test
    void tenantsDoNotShareKeys() {
        assertThat(shop.ofTenant("a", "m-14")).isEqualTo("a");
        assertThat(shop.ofTenant("b", "m-14")).isEqualTo("b");
        assertThat(shop.ofTenant("a", "m-14")).isEqualTo("a");
        assertThat(shop.runs("am-14")).isEqualTo(1);
    }

    @Test
    void callWithoutAKeyIsRefused() {
        assertThatThrownBy(() -> shop.nothing(nothing()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key = \"#id\"")
                .hasMessageContaining("is null");
    }

    @SuppressWarnings("NullAway") // The point of the test.
    private static String nothing() {
        return null;
    }

    @Test
    void currentRunEndsWithTheMethod() {
        shop.create(OrderRequest.of("m-15", 1));

        assertThat(CurrentRun.find()).isEmpty();
        assertThatThrownBy(CurrentRun::get).isInstanceOf(IllegalStateException.class);
    }
}
