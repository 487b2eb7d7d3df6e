// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** The topics of Shopify as of 2026. Each line is a resource and its actions. */
final class ShopifyTopics {
    private static final Set<String> ALL = """
            app uninstalled scopes_update
            app_purchases_one_time update
            app_subscriptions approaching_capped_amount update
            audit_events admin_api_activity
            bulk_operations finish
            carts create update
            channels delete
            checkouts create delete update
            collection_listings add remove update
            collection_publications create delete update
            collections create delete update
            companies create delete update
            company_contact_roles assign revoke
            company_contacts create delete update
            company_locations create delete update
            customer_account_settings update
            customer_groups create delete update
            customer_payment_methods create revoke update
            customers create data_request delete disable enable merge purchasing_summary redact update
            customers_email_marketing_consent update
            customers_marketing_consent update
            delivery_promise_settings update
            discounts create delete redeemcode_added redeemcode_removed update
            disputes create update
            domains create destroy update
            draft_orders create delete update
            finance_app_staff_member delete grant revoke update
            finance_kyc_information update
            fulfillment_events create delete
            fulfillment_holds added released
            fulfillment_orders cancellation_request_accepted cancellation_request_rejected cancellation_request_submitted \
            cancelled fulfillment_request_accepted fulfillment_request_rejected fulfillment_request_submitted \
            fulfillment_service_failed_to_complete hold_released line_items_prepared_for_local_delivery \
            line_items_prepared_for_pickup manually_reported_progress_stopped merged moved order_routing_complete \
            placed_on_hold progress_reported rescheduled scheduled_fulfillment_order_ready split
            fulfillments create update
            inventory_items create delete update
            inventory_levels connect disconnect update
            inventory_shipments add_items create delete mark_in_transit receive_items remove_items \
            update_item_quantities update_tracking
            inventory_transfers add_items cancel complete ready_to_ship remove_items update_item_quantities
            locales create destroy update
            locations activate create deactivate delete update
            markets create delete update
            markets_backup_region update
            metafield_definitions create delete update
            metaobjects create delete update
            order_transactions create
            orders cancelled create delete edited fulfilled link_requested paid partially_fulfilled \
            risk_assessment_changed shopify_protect_eligibility_changed updated
            payment_schedules due
            payment_terms create delete update
            product_feeds create full_sync full_sync_finish incremental_sync update
            product_listings add remove update
            product_publications create delete update
            products create delete update
            profiles create delete update
            publications delete
            refunds create
            returns approve cancel close decline process reopen request update
            reverse_deliveries attach_deliverable
            reverse_fulfillment_orders dispose
            scheduled_product_listings add remove update
            segments create delete update
            selling_plan_groups create delete update
            shipping_addresses create update
            shop redact update
            subscription_billing_attempts challenged failure success
            subscription_billing_cycle_edits create delete update
            subscription_billing_cycles skip unskip
            subscription_contracts activate cancel create expire fail pause update
            taxes calculation_notification
            tax_partners update
            tax_services create update
            tax_summaries create
            tender_transactions create
            themes create delete publish update
            variants in_stock out_of_stock
            """.lines()
            .map(line -> line.strip().split(" +"))
            .flatMap(words -> Arrays.stream(words).skip(1).map(word -> words[0] + "/" + word))
            .collect(Collectors.toUnmodifiableSet());

    private static final Set<String> WITH_A_POINT =
            Set.of("customer.joined_segment", "customer.left_segment", "customer.tags_added", "customer.tags_removed");

    private ShopifyTopics() {}

    /** @param topic a topic in lower case */
    static boolean contains(String topic) {
        return ALL.contains(topic) || WITH_A_POINT.contains(topic);
    }
}
