// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import dev.semel.spring.CurrentTenant;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.filter.OncePerRequestFilter;

/** Stands for the application's security: it trusts the headers X-User, X-Role and X-Tenant. Ordered as Spring Security's filter is. */
final class HeaderLogin extends OncePerRequestFilter implements Ordered, CurrentTenant {
    @Override
    public int getOrder() {
        return -100;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        chain.doFilter(
                new HttpServletRequestWrapper(request) {
                    @Override
                    public @Nullable Principal getUserPrincipal() {
                        String user = request.getHeader("X-User");
                        return user == null ? null : () -> user;
                    }

                    @Override
                    public boolean isUserInRole(String role) {
                        return role.equals(request.getHeader("X-Role"));
                    }
                },
                response);
    }

    @Override
    public String tenant() {
        if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
            String tenant = attributes.getRequest().getHeader("X-Tenant");
            return tenant == null ? "default" : tenant;
        }
        return "default";
    }
}
