// Java 17: java Hello.java URL KEY TOKEN
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;

class Hello {
  static final HttpClient client = HttpClient.newHttpClient();
  static String url, key, token;

  static String call(String resource, String members) throws Exception {
    var body = "{\"version\":\"0.1.0\",\"key\":\"%s\",\"token\":\"%s\",%s}".formatted(key, token, members);
    var request = HttpRequest.newBuilder(URI.create(url + "/0.1.0/" + resource))
        .header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)).build();
    var answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new RuntimeException(resource + ": " + answer.body());
    return answer.body();
  }

  static String create(String resource, String properties, String associations) throws Exception {
    return call(resource, "\"action\":\"create\",\"properties\":%s,\"associations\":%s".formatted(properties, associations));
  }

  static String of(String answer, String name) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(answer);
    return found.find() ? found.group(1) : "";
  }

  public static void main(String[] args) throws Exception {
    url = args[0];
    key = args[1];
    token = args[2];
    var dataset = of(create("securable", "{\"type\":\"dataset\",\"name\":{\"en\":\"Hello from Java\"}}", "[]"), "id");
    var parent = "[{\"role\":\"Securable\",\"id\":\"%s\"}]".formatted(dataset);
    var column = "{\"type\":\"%s\",\"order\":%d,\"source_name\":\"%s\",\"name\":{\"en\":\"%3$s\"}}";
    var burrito = of(create("column", column.formatted("hierarchy", 0, "Burrito"), parent), "id");
    var weight = of(create("column", column.formatted("numeric", 1, "Weight"), parent), "id");
    create("data", "{\"securable_id\":\"%s\",\"data\":[[\"sweet\",126.02],[\"sour\",352.34]]}".formatted(dataset), "[]");
    var query = "{\"dimensions\":[{\"dataset_id\":\"%1$s\",\"column_id\":\"%2$s\"}],\"measures\":[{\"dataset_id\":\"%1$s\",\"column_id\":\"%3$s\",\"aggregation\":{\"type\":\"sum\"}}]}";
    var data = call("data", "\"action\":\"get\",\"find\":{\"queries\":[%s]}".formatted(query.formatted(dataset, burrito, weight)));
    var dashboard = of(create("securable", "{\"type\":\"dashboard\",\"name\":{\"en\":\"Hello\"}}", "[]"), "id");
    var access = "{\"dashboards\":[{\"id\":\"%s\",\"rights\":\"use\"}]}".formatted(dashboard);
    var embed = create("authorization", "{\"type\":\"embed\",\"expiry\":\"24 hours\",\"username\":\"java\",\"access\":%s}".formatted(access), "[]");
    for (var one : new String[][] {{"authorization", of(embed, "id")}, {"securable", dashboard}, {"securable", dataset}})
      call(one[0], "\"action\":\"delete\",\"id\":\"%s\",\"properties\":{}".formatted(one[1]));
    var numbers = Pattern.compile("\\d+\\.\\d+").matcher(data.split("\"data\":")[1]);
    double total = 0;
    int rows = 0;
    while (numbers.find() && rows < 2) {
      total += Double.parseDouble(numbers.group());
      rows += 1;
    }
    System.out.printf(java.util.Locale.ROOT, "{\"rows\":%d,\"total\":%.2f,\"token\":%b}%n", rows, total, of(embed, "token").length() > 20);
  }
}
