-- When the person last proved in this session that they are still the one at it, and with what.
alter table sessao
  add column confirmada_em timestamptz,
  add column confirmada_com text check (confirmada_com in ('senha', 'codigo')),
  add constraint sessao_confirmada check ((confirmada_em is null) = (confirmada_com is null));

-- The people behind sessions are kept in memory (migration 0011): a confirmation is told as well.
drop trigger sessao_muda on sessao;
create trigger sessao_muda after update on sessao for each row
  when ((old.id_usuario, old.metodo, old.criada_em, old.expira_em, old.encerrada_em, old.confirmada_em, old.confirmada_com)
    is distinct from
      (new.id_usuario, new.metodo, new.criada_em, new.expira_em, new.encerrada_em, new.confirmada_em, new.confirmada_com)
    or new.ultimo_uso < old.ultimo_uso)
  execute function diz_sessao_mudada();
