-- name: own_patterns
-- The store's own patterns of secrets, one a line.
select setting.value
from setting
where setting.key = 'secret_patterns';
