<?php
// PHP: php hello.php URL KEY TOKEN. An empty array is sent as [], also where an object is meant.
[, $url, $key, $token] = $argv;

function call(string $resource, array $body): array {
  global $url, $key, $token;
  $content = json_encode(['version' => '0.1.0', 'key' => $key, 'token' => $token] + $body);
  $context = stream_context_create(['http' => [
    'method' => 'POST', 'header' => 'Content-Type: application/json', 'content' => $content, 'ignore_errors' => true,
  ]]);
  $answer = file_get_contents("$url/0.1.0/$resource", false, $context);
  if (!str_contains($http_response_header[0], ' 200')) {
    fwrite(STDERR, "$resource: $answer\n");
    exit(1);
  }
  return json_decode($answer, true);
}

function create(string $resource, array $properties, array $associations = []): array {
  return call($resource, ['action' => 'create', 'properties' => $properties, 'associations' => $associations]);
}

$dataset = create('securable', ['type' => 'dataset', 'name' => ['en' => 'Hello from PHP'], 'description' => []]);
$columns = [];
foreach ([['Burrito', 'hierarchy'], ['Weight', 'numeric']] as $order => [$title, $type]) {
  $properties = ['type' => $type, 'order' => $order, 'source_name' => $title, 'name' => ['en' => $title]];
  $columns[] = create('column', $properties, [['role' => 'Securable', 'id' => $dataset['id']]]);
}
create('data', ['securable_id' => $dataset['id'], 'data' => [['sweet', 126.02], ['sour', 352.34]], 'options' => []]);
$data = call('data', ['action' => 'get', 'find' => ['queries' => [[
  'dimensions' => [['dataset_id' => $dataset['id'], 'column_id' => $columns[0]['id']]],
  'measures' => [['dataset_id' => $dataset['id'], 'column_id' => $columns[1]['id'], 'aggregation' => ['type' => 'sum']]],
  'options' => [],
]]]])['data'];
$contents = ['views' => [['screenModus' => 'desktop', 'options' => [], 'items' => []]], 'datasetLinks' => []];
$dashboard = create('securable', ['type' => 'dashboard', 'name' => ['en' => 'Hello'], 'contents' => $contents]);
$embed = create('authorization', ['type' => 'embed', 'expiry' => '1 day', 'username' => 'php', 'metadata' => [], 'access' => [
  'dashboards' => [['id' => $dashboard['id'], 'rights' => 'use']],
]]);
foreach ([['authorization', $embed], ['securable', $dashboard], ['securable', $dataset]] as [$resource, $record]) {
  call($resource, ['action' => 'delete', 'id' => $record['id'], 'properties' => []]);
}
$total = array_sum(array_column($data, 1));
echo json_encode(['rows' => count($data), 'total' => round($total, 2), 'token' => strlen($embed['token']) > 20]), "\n";
