package oracle;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.flowable.common.engine.api.delegate.Expression;
import org.flowable.common.engine.impl.el.DefaultExpressionManager;
import org.flowable.common.engine.impl.el.VariableContainerWrapper;

/**
 * Says of each line of its input, which is a condition, what it is worth with the variables of the test and with none of them entered:
 * "true false", or "refused" where the engine does not take it, "failed" where it cannot be worked out.
 */
public class Conditions {
  public static void main(String[] arguments) throws Exception {
    Map<String, Object> full = new HashMap<>();
    full.put("days", 4L);
    full.put("kind", "a");
    full.put("urgent", true);
    full.put("pass", false);
    Map<String, Object> empty = new HashMap<>();
    for (String name : full.keySet()) empty.put(name, null);
    DefaultExpressionManager manager = new DefaultExpressionManager(Map.of());
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      try {
        Expression expression = manager.createExpression(line);
        System.out.println(worth(expression, full) + " " + worth(expression, empty));
      } catch (RuntimeException refused) {
        System.out.println("refused");
      }
    }
  }

  private static String worth(Expression expression, Map<String, Object> variables) {
    try {
      return String.valueOf(expression.getValue(new VariableContainerWrapper(variables)));
    } catch (RuntimeException failed) {
      return "failed";
    }
  }
}
