/** The rights of each role, as docs/specification/rights.md has them. How to read it: `operations.ts`. */
export const documented = `
# columns                          memb edit ownr admn | read user modi enti | grup coll | view dsgn | ownB

# Create dataset, Organization Editor; a bad reference is a 400
dataset create same              |  403  200  200  200 |  403  403  403  403 |  403  403 |  403  403 |  200
dataset create other             |   no  400  400  400 |   no   no   no   no |   no   no |   no   no |  400
# Get securable, Entity Reader; admin holds modify on every securable of the organization
dataset get own                  |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
dataset get same                 |  nil  nil  see  see |  see  see  see  see |  see  see |  see  see |  see
dataset get other                |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  nil  nil |  nil
# Only the owner of a dataset may update it
dataset update own               |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
dataset update same              |  404  404  403  403 |  403  403  403  200 |  403  403 |  403  403 |  403
dataset update other             |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Delete securable, Entity Owner
dataset delete own               |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
dataset delete same              |  404  404  403  403 |  403  403  403  200 |  403  403 |  403  403 |  403
dataset delete other             |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Create dashboard, Organization Editor, and embed tokens of role designer
dashboard create same            |  403  200  200  200 |  403  403  403  403 |  403  403 |  403  200 |  200
# Get securable, Entity Reader
dashboard get own                |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
dashboard get same               |  nil  nil  see  see |  see  see  see  see |  see  see |  see  see |  see
dashboard get other              |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  nil  nil |  nil
# Update dashboard needs modify
dashboard update own             |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
dashboard update same            |  404  404  403  200 |  403  403  200  200 |  200  403 |  403  200 |  403
dashboard update other           |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Delete securable, Entity Owner
dashboard delete own             |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
dashboard delete same            |  404  404  403  403 |  403  403  403  200 |  403  403 |  403  403 |  403
dashboard delete other           |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Create AI chart, Logged-in User; embed tokens too; use on the dataset; dataset_id
aichart create own               |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
aichart create same              |  400  400  403  200 |  403  200  200  200 |  200  200 |  403  200 |  403
aichart create other             |  400  400  400  400 |  400  400  400  400 |  400  400 |  400  400 |  400

# Create account, Logged-in User; that is no embed token; other: another's private plugin
account create same              |  200  200  200  200 |  200  200  200  200 |  200  200 |  403  403 |  200
account create other             |  400  400  400  400 |  400  400  400  400 |  400  400 |   no   no |  400
# Account get, read; admin holds securables, not accounts
account get own                  |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
account get same                 |  nil  nil  see  see |  see  see  see  see |  see  nil |  hid  hid |  see
account get other                |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  hid |  nil
# Account update and delete, own
account update own               |  200  200  200  200 |  200  200  200  200 |  200  200 |    -    - |  200
account update same              |  404  404  403  403 |  403  403  403  200 |  403  404 |  404  404 |  403
account update other             |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
account delete own               |  200  200  200  200 |  200  200  200  200 |  200  200 |    -    - |  200
account delete same              |  404  404  403  403 |  403  403  403  200 |  403  404 |  404  404 |  403
account delete other             |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Create SSO configuration, Organization Owner; rule 5: at most one, and both have theirs
ssoconfig create same            |  403  403  400  400 |  403  403  403  403 |  403  403 |  403  403 |  400
# Ssoconfig get and delete, Organization Owner
ssoconfig get same               |  403  403  see  see |  403  403  403  403 |  403  403 |  403  403 |  see
ssoconfig get other              |  403  403  nil  nil |  403  403  403  403 |  403  403 |  403  403 |  nil
# Update SSO configuration, Organization Owner; who may not see it gets 404
ssoconfig update same            |  404  404  200  200 |  404  404  404  404 |  404  404 |  404  404 |  200
ssoconfig update other           |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Ssoconfig get and delete, Organization Owner
ssoconfig delete same            |  404  404  200  200 |  404  404  404  404 |  404  404 |  404  404 |  200
ssoconfig delete other           |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Create and search theme, Organization Member; an embed token those that its dashboards use
theme create same                |  200  200  200  200 |  200  200  200  200 |  200  200 |  403  403 |  200
theme get own                    |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
theme get same                   |  see  see  see  see |  see  see  see  see |  see  see |  nil  nil |  see
theme get other                  |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  nil  nil |  nil
# Theme update, Organization Editor
theme update own                 |  403  200  200  200 |  403  403  403  403 |  403  403 |    -    - |  200
theme update same                |  403  200  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
theme update other               |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Theme delete, Organization Owner
theme delete own                 |  403  403  200  200 |  403  403  403  403 |  403  403 |    -    - |  200
theme delete same                |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
theme delete other               |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Plugin create, Organization Editor
plugin create same               |  403  200  200  200 |  403  403  403  403 |  403  403 |  403  403 |  200
# Search plugin, Entity Reader; public, linked to the caller's organization, or its own; no embed token
plugin get own                   |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
plugin get same                  |  see  see  see  see |  see  see  see  see |  see  see |  hid  hid |  see
plugin get other                 |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  hid |  nil
# Plugin update and delete, its creator or an Organization Owner
plugin update own                |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
plugin update same               |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
plugin update other              |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
plugin delete own                |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
plugin delete same               |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
plugin delete other              |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
`;
