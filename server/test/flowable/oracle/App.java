package oracle;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class App {
  public static void main(String[] arguments) {
    SpringApplication.run(App.class, arguments);
  }
}
