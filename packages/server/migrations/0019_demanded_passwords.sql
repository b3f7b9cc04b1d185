-- A password that an administrator typed may be kept ('pedida'); the generated one of the first administrator may not ('obrigatoria').
alter table usuario alter column trocar_senha drop default;
alter table usuario alter column trocar_senha drop not null;
alter table usuario alter column trocar_senha type text using case when trocar_senha then 'pedida' end;
alter table usuario add constraint usuario_trocar_senha_check check (trocar_senha in ('pedida', 'obrigatoria'));
