// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.CallerTransactions;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimStore;
import dev.semel.spring.SpringTransactions.JoinableClaims;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** Spring's transactions, if the application has them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(TransactionSynchronizationManager.class)
class TransactionsConfiguration {
    /** A post processor, because a transaction manager must be watched from its first transaction on. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionWatch semelTransactionWatch() {
        return new TransactionWatch();
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean(CallerTransactions.class)
    static SpringTransactions semelSpringTransactions(
            SemelProperties properties,
            Secrets secrets,
            ClaimStore store,
            ListableBeanFactory beans,
            TransactionWatch watch) {
        // At first use: transaction managers may be created after the engine.
        Supplier<JoinableClaims> joinable = SingletonSupplier.of(() -> joinable(properties, secrets, store, beans));
        return new SpringTransactions(secrets, joinable, watch);
    }

    private static JoinableClaims joinable(
            SemelProperties properties, Secrets secrets, ClaimStore store, ListableBeanFactory beans) {
        if (!(store instanceof JdbcClaimStore claims) || properties.sqlite() != null) {
            throw new IllegalStateException(
                    "An operation can join the caller's transaction only if claims are in the application's database: remove"
                            + " semel.sqlite, semel.store=dynamodb, semel.store=memory and, in tests, @AutoConfigureTestSemel; or do not join in this"
                            + " operation");
        }
        DataSource dataSource = EngineStore.dataSourceOf(properties, beans);
        if (dataSource == null) {
            throw new IllegalStateException(
                    "An operation joins the caller's transaction, but the application has no DataSource bean");
        }
        PlatformTransactionManager manager = manager(properties, beans);
        requireSameDataSource(manager, target(dataSource));
        return new JoinableClaims(TransactionalClaims.on(claims, secrets), target(dataSource), manager);
    }

    /** Otherwise claim and effect would be in two transactions. */
    private static void requireSameDataSource(PlatformTransactionManager manager, DataSource dataSource) {
        if (manager instanceof ResourceTransactionManager known
                && known.getResourceFactory() instanceof DataSource managed
                && target(managed) != dataSource) {
            throw new IllegalStateException(
                    "The transaction manager does not use the data source that holds the claims: set semel.transaction-manager to the"
                            + " bean that manages transactions of that data source, or semel.data-source to its data source");
        }
    }

    /** Transaction managers bind connections to the data source behind this proxy. */
    private static DataSource target(DataSource dataSource) {
        boolean springJdbc = ClassUtils.isPresent(
                "org.springframework.jdbc.datasource.DelegatingDataSource",
                TransactionsConfiguration.class.getClassLoader());
        if (springJdbc && dataSource instanceof TransactionAwareDataSourceProxy) {
            DataSource inner = ((DelegatingDataSource) dataSource).getTargetDataSource();
            return inner == null ? dataSource : inner;
        }
        return dataSource;
    }

    private static PlatformTransactionManager manager(SemelProperties properties, ListableBeanFactory beans) {
        String name = properties.transactionManager();
        if (name != null) {
            return beans.getBean(name, PlatformTransactionManager.class);
        }
        PlatformTransactionManager only =
                beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        if (only == null) {
            throw new IllegalStateException(
                    "An operation joins the caller's transaction, but the application has no PlatformTransactionManager, or several:"
                            + " set semel.transaction-manager to the name of the bean for the data source of the claims");
        }
        return only;
    }
}
