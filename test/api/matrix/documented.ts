/** The resources with roles in the specification. How to read it: `operations.ts`. */
export const documented = `
# columns                          memb edit ownr admn | read user modi enti | grup coll | view dsgn | ownB

# Decision R5: create dataset, Organization Editor; A3: a bad reference is a 400
dataset create same              |  403  200  200  200 |  403  403  403  403 |  403  403 |  403  403 |  200
dataset create other             |   no  400  400  400 |   no   no   no   no |   no   no |   no   no |  400
# Decision R5: get securable, Entity Reader; R1: admin holds modify on every securable of the organization
dataset get own                  |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
dataset get same                 |  nil  nil  see  see |  see  see  see  see |  see  see |  see  see |  see
dataset get other                |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  nil  nil |  nil
# Document, rule 4 and Authentication: only the owner of a dataset may update it
dataset update own               |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
dataset update same              |  404  404  403  403 |  403  403  403  200 |  403  403 |  403  403 |  403
dataset update other             |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Decision R5: delete securable, Entity Owner
dataset delete own               |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
dataset delete same              |  404  404  403  403 |  403  403  403  200 |  403  403 |  403  403 |  403
dataset delete other             |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Document, Authentication: create dashboard, Organization Editor
dashboard create same            |  403  200  200  200 |  403  403  403  403 |  403  403 |  403  403 |  200
# Decision R5: get securable, Entity Reader
dashboard get own                |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
dashboard get same               |  nil  nil  see  see |  see  see  see  see |  see  see |  see  see |  see
dashboard get other              |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  nil  nil |  nil
# Decision R3: update dashboard needs modify
dashboard update own             |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
dashboard update same            |  404  404  403  200 |  403  403  200  200 |  200  403 |  403  200 |  403
dashboard update other           |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Decision R5: delete securable, Entity Owner
dashboard delete own             |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
dashboard delete same            |  404  404  403  403 |  403  403  403  200 |  403  403 |  403  403 |  403
dashboard delete other           |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Document, Authentication: create AI chart, Logged-in User; R2: embed tokens too; X5: use on the dataset; A3: dataset_id
aichart create own               |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
aichart create same              |  400  400  403  200 |  403  200  200  200 |  200  200 |  403  200 |  403
aichart create other             |  400  400  400  400 |  400  400  400  400 |  400  400 |  400  400 |  400

# Document, Authentication: create account, Logged-in User; R2: that is no embed token; other: another's private plugin
account create same              |  200  200  200  200 |  200  200  200  200 |  200  200 |  403  403 |  200
account create other             |  400  400  400  400 |  400  400  400  400 |  400  400 |   no   no |  400
# Decision R5: account get, read; R1: admin holds securables, not accounts
account get own                  |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
account get same                 |  nil  nil  see  see |  see  see  see  see |  see  nil |  hid  hid |  see
account get other                |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  hid |  nil
# Decision R5: account update and delete, own
account update own               |  200  200  200  200 |  200  200  200  200 |  200  200 |    -    - |  200
account update same              |  404  404  403  403 |  403  403  403  200 |  403  404 |  404  404 |  403
account update other             |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
account delete own               |  200  200  200  200 |  200  200  200  200 |  200  200 |    -    - |  200
account delete same              |  404  404  403  403 |  403  403  403  200 |  403  404 |  404  404 |  403
account delete other             |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Document, Authentication: create SSO configuration, Organization Owner; rule 5: at most one, and both have theirs
ssoconfig create same            |  403  403  400  400 |  403  403  403  403 |  403  403 |  403  403 |  400
# Decision R5: ssoconfig get and delete, Organization Owner
ssoconfig get same               |  403  403  see  see |  403  403  403  403 |  403  403 |  403  403 |  see
ssoconfig get other              |  403  403  nil  nil |  403  403  403  403 |  403  403 |  403  403 |  nil
# Document, Authentication: update SSO configuration, Organization Owner; A3: who may not see it gets 404
ssoconfig update same            |  404  404  200  200 |  404  404  404  404 |  404  404 |  404  404 |  200
ssoconfig update other           |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Decision R5: ssoconfig get and delete, Organization Owner
ssoconfig delete same            |  404  404  200  200 |  404  404  404  404 |  404  404 |  404  404 |  200
ssoconfig delete other           |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Document, Authentication: create and search theme, Organization Member
theme create same                |  200  200  200  200 |  200  200  200  200 |  200  200 |  403  403 |  200
theme get own                    |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
theme get same                   |  see  see  see  see |  see  see  see  see |  see  see |  403  403 |  see
theme get other                  |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  403  403 |  nil
# Decision R5: theme update, Organization Editor
theme update own                 |  403  200  200  200 |  403  403  403  403 |  403  403 |    -    - |  200
theme update same                |  403  200  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
theme update other               |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Decision R5: theme delete, Organization Owner
theme delete own                 |  403  403  200  200 |  403  403  403  403 |  403  403 |    -    - |  200
theme delete same                |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
theme delete other               |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Decision R5: plugin create, Organization Editor
plugin create same               |  403  200  200  200 |  403  403  403  403 |  403  403 |  403  403 |  200
# Document, Authentication: search plugin, Entity Reader; R5: public, linked to the caller's organization, or its own; R2: no embed token
plugin get own                   |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
plugin get same                  |  see  see  see  see |  see  see  see  see |  see  see |  hid  hid |  see
plugin get other                 |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  hid |  nil
# Decision R5: plugin update and delete, its creator or an Organization Owner
plugin update own                |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
plugin update same               |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
plugin update other              |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
plugin delete own                |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
plugin delete same               |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
plugin delete other              |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
`;
