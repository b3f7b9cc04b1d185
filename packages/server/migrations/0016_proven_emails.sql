-- Whether an e-mail is proven decides who is approved, and whether the e-mail may name its person to a report.

-- Sign-up sends a link that confirms the e-mail.
alter table link_conta drop constraint link_conta_tipo_check;
alter table link_conta add constraint link_conta_tipo_check check (tipo in ('recuperacao', 'convite', 'confirmacao'));

-- Linked while nothing proved the account's e-mail. It is deleted when the owner of the mailbox proves it.
alter table identidade_externa add column sem_prova boolean not null default false;
update identidade_externa i set sem_prova = true
from auditoria a
where a.acao = 'account.requested' and a.objeto = 'usuario:' || i.id_usuario
  and a.detalhes ->> 'emailConfirmado' = 'false'
  and a.detalhes ->> 'emissor' = i.emissor and a.detalhes ->> 'sujeito' = i.sujeito;

-- Requested through a provider that did not confirm the e-mail, and proven by nothing since.
update usuario set email_por_provar = true
where 'usuario:' || id_usuario in (
    select objeto from auditoria
    where acao = 'account.requested' and objeto is not null and detalhes ->> 'emailConfirmado' = 'false'
  )
  and 'usuario:' || id_usuario not in (
    select objeto from auditoria
    where objeto is not null and (
      acao = 'account.linked'
      or (acao = 'password.changed' and detalhes ->> 'meio' in ('recuperacao', 'convite'))
      or (acao = 'user.updated' and detalhes -> 'depois' ->> 'emailUsuario' is not null)
    )
  );
