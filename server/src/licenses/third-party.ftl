This jar contains the following artifacts. Their own licence and notice files are in the folders next to this file, which are
named after the artifacts. Texts of licences that an artifact names without enclosing them are in texts/.

<#list dependencyMap as entry>
<#assign artifact = entry.getKey()>
${artifact.groupId}:${artifact.artifactId}:${artifact.version} | ${entry.getValue()?join(", ")} | ${artifact.url!"-"}
</#list>

Some of them contain others:

org.jctools:jctools-core | Apache-2.0 | in netty-common
org.jctools:jctools-core-jdk11 | Apache-2.0 | in netty-common
com.ongres.scram:scram-client | BSD-2-Clause | in postgresql
com.ongres.scram:scram-common | BSD-2-Clause | in postgresql
com.ongres.stringprep:saslprep | BSD-2-Clause | in postgresql
com.ongres.stringprep:stringprep | BSD-2-Clause | in postgresql
ch.randelshofer:fastdoubleparser | MIT | in jackson-core

The console contains scripts (their licence texts are in the folders preact, htm, signals-core and uplot):

npm:preact | MIT | 10.27.2, in semel-console
npm:htm | Apache-2.0 | 3.1.1, in semel-console
npm:@preact/signals-core | MIT | 1.14.5, in semel-console
npm:uplot | MIT | 1.6.32, in semel-console
