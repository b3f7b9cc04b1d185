-- Run as a superuser, with the password of the role. Through standard input: other processes can read arguments.
--   { echo '\set password <senha>'; cat create-database.sql; } | psql -v ON_ERROR_STOP=1
-- The portal needs no other right: it owns its database, and nothing else.
create role bi_portal login password :'password';
create database bi_manager owner bi_portal encoding 'UTF8' template template0;
revoke connect on database bi_manager from public;
