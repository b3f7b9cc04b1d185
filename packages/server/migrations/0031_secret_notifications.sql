-- Notifications of secrets have causes that start with 'segredo:'. The earlier causes are left over.
-- A node of the previous version that still runs inserts one of them again, and notifies once more.
delete from aviso_sistema where causa like 'validade:powerbi:%' or causa = 'validade:OIDC_CLIENT_SECRET';

with lidas as (
  update notificacao set lida_em = now()
  where lida_em is null
    and (assunto like 'sistema:validade:powerbi:%' or assunto = 'sistema:validade:OIDC_CLIENT_SECRET')
  returning id_usuario
)
update usuario set versao_notificacoes = versao_notificacoes + 1
where id_usuario in (select id_usuario from lidas);
