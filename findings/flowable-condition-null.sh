#!/usr/bin/env bash
# Tool: Flowable 7.2.0 (Maven: org.flowable:flowable-engine), Java 17.
# Expected: a condition on a line that is one boolean variable, `${urgent}`, is not fulfilled where the variable holds null, as `${urgent && true}`,
#   `${urgent == true}` and `${!!urgent}` are not: the expression language makes false of null wherever a yes or no is wanted.
# Seen: with the variable alone the process does not start: "condition expression returns null"; the other three go the default way.
# Why it matters: an optional yes-or-no field of a form is null until somebody ticks it. A process that passed its trial with a filled form stops for
#   everybody who left the box alone, and an engine that wants to be compared with Flowable has to leave this one case out.
# Exits non-zero where this behaves otherwise.
set -euo pipefail
home=$(mktemp -d); trap 'rm -rf "$home"' EXIT
cd "$home"
cat > pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>f</groupId><artifactId>f</artifactId><version>1</version>
<dependencies>
<dependency><groupId>org.flowable</groupId><artifactId>flowable-engine</artifactId><version>7.2.0</version></dependency>
<dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId><version>2.3.232</version></dependency>
<dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>2.0.17</version></dependency>
</dependencies></project>
XML
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib
cat > Try.java <<'JAVA'
import java.util.HashMap;
import java.util.Map;
import org.flowable.engine.ProcessEngine;
import org.flowable.engine.ProcessEngineConfiguration;

public class Try {
  public static void main(String[] arguments) {
    ProcessEngine engine = ProcessEngineConfiguration.createStandaloneInMemProcessEngineConfiguration().buildProcessEngine();
    String[] conditions = {"urgent", "urgent &amp;&amp; true", "urgent == true", "!!urgent"};
    for (int n = 0; n < conditions.length; n++) {
      String xml = "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' targetNamespace='t'>"
        + "<process id='p" + n + "' isExecutable='true'><startEvent id='s'/><sequenceFlow id='a' sourceRef='s' targetRef='x'/>"
        + "<exclusiveGateway id='x' default='c'/>"
        + "<sequenceFlow id='b' sourceRef='x' targetRef='yes'><conditionExpression xsi:type='tFormalExpression'>${" + conditions[n] + "}</conditionExpression></sequenceFlow>"
        + "<sequenceFlow id='c' sourceRef='x' targetRef='no'/><userTask id='yes'/><userTask id='no'/></process></definitions>";
      engine.getRepositoryService().createDeployment().addString("p" + n + ".bpmn20.xml", xml).deploy();
      Map<String, Object> variables = new HashMap<>();
      variables.put("urgent", null);
      String seen;
      try {
        String id = engine.getRuntimeService().startProcessInstanceByKey("p" + n, variables).getId();
        seen = engine.getTaskService().createTaskQuery().processInstanceId(id).singleResult().getTaskDefinitionKey();
      } catch (RuntimeException stopped) {
        seen = "stopped: " + stopped.getMessage();
      }
      System.out.println(conditions[n].replace("&amp;", "&") + " -> " + seen);
    }
    engine.close();
  }
}
JAVA
javac -cp 'lib/*' Try.java
java -cp '.:lib/*' Try | tee seen.txt
grep -q '^urgent -> stopped: condition expression returns null' seen.txt
for text in 'urgent && true' 'urgent == true' '!!urgent'; do grep -qF "$text -> no" seen.txt; done
