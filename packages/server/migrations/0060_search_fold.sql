-- What searches compare (record 0094): names without case, marks and apostrophes, with letters such as 'ł', 'ø' and 'ß' as
-- the letters that people type. sem_acento stays as it is: unique indexes and sign-in compare names by it, and a function
-- under stored values must not change. The browser has the same rules (contract/src/calls/fold-text.ts).
create function texto_busca(texto text) returns text
  language sql immutable strict parallel safe
  return replace(replace(replace(replace(replace(replace(translate(
    lower(regexp_replace(normalize(texto, NFD), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g')),
    'ªⱥȺƀɃɓƁƃƂƈƇȼȻđĐðÐɖƉɗƊƌƋɇɆǝƎəƏɛƐƒƑǥǤɠƓħĦıɨƗɉɈĸƙƘłŁŀĿƚȽŋŊŉɲƝƞȠºøØɵƟɔƆƥƤɋɊɍɌʀƦſȿⱾŧŦ' ||
    'ƭƬʈƮȾⱦʉɄʋƲɏɎƴƳƶƵȥȤɀⱿÆŒÞẞςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮ' ||
    'ЯЂЄЅІЇЈЉЊЋЏĲƄƔƖƜƢƧƩƱƷƸƼǄǅǇǈǊǋǱǲǶǷȜȢɁɅͰͲͶͿϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿỺỼỾⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵ''’' ||
    '‘‛ʼʻʹ′ʾʿ‵´`',
    'aaabbbbbbccccddddddddddeeeeeeeeffgggghhiiijjkkkllllllnnnnnnnoooooooppqqrrrrssstt' ||
    'ttttttuuvvyyyyzzzzzzæœþßσαβγδεζηθικλμνξοπρστυφχψωабвгдежзийклмнопрстуфхцчшщъыьэю' ||
    'яђєѕіїјљњћџĳƅɣɩɯƣƨʃʊʒƹƽǆǆǉǉǌǌǳǳƕƿȝȣɂʌͱͳͷϳϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽỻỽỿⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'ﬁ', 'fi'), 'ﬂ', 'fl') collate "C";

-- One statement, and so one rewrite, for each table. Old code does not name the columns; the database fills them.
alter table usuario
  add column nome_busca text collate "C" generated always as (texto_busca(nome_usuario)) stored,
  add column email_busca text collate "C" generated always as (texto_busca(email_usuario)) stored;
alter table responsavel
  add column nome_busca text collate "C" generated always as (texto_busca(nome_responsavel)) stored;
alter table powerbi add column nome_busca text collate "C" generated always as (texto_busca(nome)) stored;
alter table grupo_relatorio add column nome_busca text collate "C" generated always as (texto_busca(nome_grupo)) stored;
alter table relatorio add column nome_busca text collate "C" generated always as (texto_busca(nome_relatorio)) stored;
alter table perfil add column nome_busca text collate "C" generated always as (texto_busca(nome_perfil)) stored;
alter table capacidade add column nome_busca text collate "C" generated always as (texto_busca(nome)) stored;
alter table telao add column nome_busca text collate "C" generated always as (texto_busca(nome)) stored;
alter table aviso add column titulo_busca text collate "C" generated always as (texto_busca(titulo)) stored;
alter table chave_api add column nome_busca text collate "C" generated always as (texto_busca(nome)) stored;
alter table assinatura add column assunto_busca text collate "C" generated always as (texto_busca(assunto)) stored;
alter table convidado add column email_busca text collate "C" generated always as (texto_busca(email_convidado)) stored;
alter table alerta add column nome_busca text collate "C" generated always as (texto_busca(nome_alerta)) stored;

-- As record 0014 says, an index of the order contains the searched columns. Old code finds the same
-- rows without it.
drop index usuario_por_nome_natural, usuario_por_tipo_natural, usuario_por_situacao_natural;
create index usuario_por_nome_natural on usuario (nome_natural, id_usuario) include (nome_busca, email_busca);
create index usuario_por_tipo_natural
  on usuario (tipo_usuario, nome_natural, id_usuario) include (nome_busca, email_busca);
create index usuario_por_situacao_natural
  on usuario (situacao, nome_natural, id_usuario) include (nome_busca, email_busca);
drop index relatorio_por_nome_natural, relatorio_por_grupo_natural, relatorio_por_operadora_natural;
create index relatorio_por_nome_natural on relatorio (nome_natural, id_relatorio) include (nome_busca);
create index relatorio_por_grupo_natural
  on relatorio (id_grupo_relatorio, nome_natural, id_relatorio) include (nome_busca);
create index relatorio_por_operadora_natural
  on relatorio (sem_acento(operadora_relatorio) collate "C", nome_natural, id_relatorio) include (nome_busca);
drop index grupo_relatorio_por_nome_natural;
create index grupo_relatorio_por_nome_natural
  on grupo_relatorio (nome_natural, id_grupo_relatorio) include (nome_busca);

drop index usuario_busca, relatorio_busca;
create index usuario_busca on usuario using gin (nome_busca gin_trgm_ops) with (fastupdate = off);
create index relatorio_busca on relatorio using gin (nome_busca gin_trgm_ops) with (fastupdate = off);
