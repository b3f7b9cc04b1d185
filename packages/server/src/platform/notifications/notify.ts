import type { NotificationKind } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'
import { databaseNow } from '../db/database-clock.ts'
import type { Db } from '../db/open-database.ts'
import { isActiveAccount } from '../db/queries/expiry.ts'
import { hasChanged } from '../db/queries/outcomes.ts'
import type { Services } from '../http/services.ts'
import type { MailContent, MailKind, NewMail } from '../mail/mail-kind.ts'
import { queueMails } from '../mail/queue-mail.ts'

/* What people are told, by bell and by e-mail, and how it is taken back (ADR 0115). */

/** Ids, SQL of a condition on `usuario`, every active ADMIN, or those and every active data protection officer. */
type Audience = readonly number[] | RawBuilder<unknown> | 'administradores' | 'guardioes'

interface Bell {
  /** Portuguese, shown on screen. */
  titulo: string
  texto: string
  /** The portal page that it is about. */
  rota?: string
  /** The comment that it is about: only a person who may read it sees the notification. */
  idComentario?: number
  /** The alert that it is about: only a person who may see its report sees the notification. */
  idAlerta?: number
  /** Digest of what determined the alert's value: the text is shown only while it is the current one. */
  alcance?: string
}

interface Mail<Content extends MailContent, Queued extends object> {
  services: Pick<Services, 'secrets'>
  kind: MailKind<Content, Queued>
  message: (nome: string, idUsuario: number) => Omit<NewMail<NoInfer<Queued>>, 'para'>
  /** Also to an address that is not verified, and of an account that may not sign in: for its security. */
  isForOwner?: boolean
}

export interface Notice<Content extends MailContent = MailContent, Queued extends object = object> {
  audience: Audience
  /** Users to leave out, such as the one whose act it is. */
  but?: readonly number[]
  kind: NotificationKind
  /** `powerbi:3`. While a person has an unread notification of it, they are told of no other. */
  subject?: string
  /**
   * Tells one occurrence of the subject from the next. Each is told once, even after it was read, until it is
   * taken back; another one takes the place of the last.
   */
  occurrence?: string
  bell: Bell
  /** The e-mail to those who are told. */
  mail?: Mail<Content, Queued> | false
}

/** Within this time, an unread notification with the same words is not repeated. */
const AT_ONCE_MS = 60_000

/** Tells the audience, in the transaction of the cause. Open windows show it within seconds. */
export const notify = async <Content extends MailContent, Queued extends object>(
  tx: Db,
  { audience, but = [], kind, subject, occurrence, bell, mail }: Notice<Content, Queued>,
  now: Date,
): Promise<void> => {
  if (subject !== undefined && occurrence !== undefined && !(await claim(tx, subject, occurrence))) return
  const { titulo, texto, rota, idComentario, idAlerta, alcance } = bell
  const { rows } = await sql<Person>`
    with pessoas as (
      select id_usuario, nome_usuario, email_usuario, not email_por_provar and ${isActiveAccount()} as alcancavel
      from usuario where ${isMeant(audience)} and id_usuario <> all(${[...but]}::int[])
    ), novas as (
      insert into notificacao (id_usuario, tipo, titulo, texto, rota, assunto, id_comentario, id_alerta,
        alcance, criada_em)
      select id_usuario, ${kind}, ${titulo}, ${texto}, ${rota ?? null}, ${subject ?? null},
        ${idComentario ?? null}::int, ${idAlerta ?? null}::int, ${alcance ?? null},
        ${now}::timestamptz
      from pessoas
      where not exists (
        select from notificacao n
        where n.id_usuario = pessoas.id_usuario and n.lida_em is null
          and n.criada_em > ${new Date(now.getTime() - AT_ONCE_MS)}::timestamptz
          and (n.tipo, n.titulo, n.texto, n.rota) is not distinct from
            (${kind}, ${titulo}, ${texto}, ${rota ?? null}::text))
      on conflict (id_usuario, assunto) where lida_em is null do nothing
      returning id_usuario
    ), contadas as (
      update usuario set versao_notificacoes = versao_notificacoes + 1
      where id_usuario in (select id_usuario from novas)
    )
    select * from pessoas
    where ${subject === undefined}::boolean or id_usuario in (select id_usuario from novas)
    order by id_usuario`.execute(tx)
  if (!mail) return
  const people = rows.filter(({ alcancavel }) => alcancavel || mail.isForOwner)
  if (people.length === 0) return
  await queueMails(
    tx,
    mail.services,
    mail.kind,
    people.map(({ idUsuario, nomeUsuario, emailUsuario: para }) => ({
      para,
      ...mail.message(nomeUsuario, idUsuario),
    })),
  )
}

interface Person {
  idUsuario: number
  nomeUsuario: string
  emailUsuario: string
  /** Whether the portal may send names of reports to this address. */
  alcancavel: boolean
}

/** The same text for roles and ids, so that timing does not reveal who is told (`accountWaiting`). */
const isMeant = (audience: Audience) => {
  const isRole = typeof audience === 'string'
  if (!isRole && 'execute' in audience) return audience
  return sql`(id_usuario = any(${isRole ? [] : [...audience]}::int[]) or ${isRole}::boolean and ${isActiveAccount()}
    and (tipo_usuario = 'ADMIN' or encarregado_dados and ${audience === 'guardioes'}::boolean))`
}

/** Of several processes, the one whose statement writes the row tells. */
const claim = async (tx: Db, subject: string, ocorrencia: string): Promise<boolean> => {
  const told = { ocorrencia, em: databaseNow }
  const writing = tx
    .insertInto('avisoSistema')
    .values({ causa: subject.replace(/^sistema:/, ''), ...told })
    .onConflict((conflict) =>
      conflict.column('causa').doUpdateSet(told).where('avisoSistema.ocorrencia', '<>', ocorrencia),
    )
  if (!(await hasChanged(writing))) return false
  // One of another occurrence may be unread.
  await sql`select retira_avisos(${subject}, false, ${ocorrencia})`.execute(tx)
  return true
}

/**
 * Takes back what was told of this subject and of those below it (`capacidade:3:LER` is below `capacidade:3`),
 * because its cause is gone: marks it as read for all, and the next occurrence is told again. When an entity is
 * deleted, a trigger does so (migration 0067).
 * @param erase deletes the unread notifications, so that nobody sees the text any more
 */
export const takeBack = async (tx: Db, subject: string, { erase = false } = {}): Promise<void> => {
  await sql`select retira_avisos(${subject}, ${erase})`.execute(tx)
}
