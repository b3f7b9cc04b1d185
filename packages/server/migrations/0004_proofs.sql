-- What shows that somebody is who they say: another device for the second factor, and whether an e-mail is theirs who typed it.

-- The secret of the device that is to take the place of the active one; that one holds until a code of this one is shown.
create table segundo_fator_novo (
  id_usuario integer primary key references segundo_fator on delete cascade,
  -- The TOTP secret, sealed.
  segredo text not null,
  criado_em timestamptz not null
);

-- Typed into the public form, and nothing has shown yet that the mailbox is theirs: no link of ours was used, no identity
-- provider vouched for it, no administrator typed it.
alter table usuario add column email_por_provar boolean not null default false;
update usuario set email_por_provar = true
where 'usuario:' || id_usuario in (
    select objeto from auditoria
    where acao = 'account.requested' and objeto is not null and detalhes ->> 'metodo' is null
  )
  and 'usuario:' || id_usuario not in (
    select objeto from auditoria
    where objeto is not null and (
      acao = 'account.linked'
      or (acao = 'password.changed' and detalhes ->> 'meio' in ('recuperacao', 'convite'))
      or (acao = 'user.updated' and detalhes -> 'depois' ->> 'emailUsuario' is not null)
    )
  );
