# Python: python3 hello.py URL KEY TOKEN
import json
import sys
import urllib.request

url, key, token = sys.argv[1:4]


def call(resource, body):
    request = urllib.request.Request(
        f"{url}/0.1.0/{resource}",
        data=json.dumps({"version": "0.1.0", "key": key, "token": token, **body}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def create(resource, properties, associations=()):
    return call(resource, {"action": "create", "properties": properties, "associations": list(associations)})


dataset = create("securable", {"type": "dataset", "name": {"en": "Hello from Python"}})
columns = []
for order, (title, kind) in enumerate([("Burrito", "hierarchy"), ("Weight", "numeric")]):
    column = create("column", {"type": kind, "order": order, "source_name": title, "name": {"en": title}})
    resource = {"role": "Columns", "id": column["id"]}
    call("securable", {"action": "associate", "id": dataset["id"], "resource": resource, "properties": {}})
    columns.append(column)
create("data", {"securable_id": dataset["id"], "data": [["sweet", 126.02], ["sour", 352.34]]})
query = {
    "dimensions": [{"dataset_id": dataset["id"], "column_id": columns[0]["id"]}],
    "measures": [{"dataset_id": dataset["id"], "column_id": columns[1]["id"], "aggregation": {"type": "sum"}}],
}
data = call("data", {"action": "get", "find": {"queries": [query]}})["data"]
dashboard = create("securable", {"type": "dashboard", "name": {"en": "Hello"}})
access = {
    "dashboards": [{"id": dashboard["id"], "rights": "use"}],
    "datasets": [{"id": dataset["id"], "rights": "use"}],
}
embed = create("authorization", {"type": "embed", "expiry": "24 hours", "username": "python", "access": access})
for resource, record in [("authorization", embed), ("securable", dashboard), ("securable", dataset)]:
    call(resource, {"action": "delete", "id": record["id"], "properties": {}})
print(json.dumps({"rows": len(data), "total": sum(row[1] for row in data), "token": len(embed["token"]) > 20}))
