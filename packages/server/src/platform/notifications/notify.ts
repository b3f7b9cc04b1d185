import type { NotificationKind } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'
import { databaseNow } from '../db/database-clock.ts'
import type { Db } from '../db/open-database.ts'
import { isActiveAccount } from '../db/queries/expiry.ts'
import { hasChanged } from '../db/queries/outcomes.ts'
import type { Services } from '../http/services.ts'
import type { MailContent, MailKind, NewMail } from '../mail/mail-kind.ts'
import { queueMails } from '../mail/queue-mail.ts'

/* Notifies people by bell and by e-mail, and takes notifications back (ADR 0115). */

/**
 * Ids, a condition in SQL on `usuario`, or a role. `administradores`: every active ADMIN. `guardioes`: these
 * and every active data protection officer.
 */
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
  /** `powerbi:3`. A person with an unread notification of this subject gets no other one of it. */
  subject?: string
  /**
   * Names one occurrence of the subject, such as a day. People are notified of each occurrence once, until it
   * is taken back. A new occurrence replaces the one before.
   */
  occurrence?: string
  bell: Bell
  /** The e-mail to the same people. */
  mail?: Mail<Content, Queued> | false
}

/** Within this time, an unread notification with the same words is not repeated. */
const AT_ONCE_MS = 60_000

/**
 * Notifies the audience in the transaction of the cause. Open windows show the notification within seconds.
 */
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

/**
 * Roles and ids make the same SQL text, so that its time does not reveal who is notified (`accountWaiting`).
 */
const isMeant = (audience: Audience) => {
  const isRole = typeof audience === 'string'
  if (!isRole && 'execute' in audience) return audience
  return sql`(id_usuario = any(${isRole ? [] : [...audience]}::int[]) or ${isRole}::boolean and ${isActiveAccount()}
    and (tipo_usuario = 'ADMIN' or encarregado_dados and ${audience === 'guardioes'}::boolean))`
}

/** Of several processes, the one whose statement writes the row notifies. */
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
 * Takes notifications back whose cause is gone: those of this subject and of the subjects below it, as
 * `capacidade:3:LER` is below `capacidade:3`. It marks them as read for all people. People are notified of
 * the next occurrence again. A trigger does the same when an entity is deleted (migration 0067).
 * @param erase deletes the unread notifications instead of marking them as read
 */
export const takeBack = async (tx: Db, subject: string, { erase = false } = {}): Promise<void> => {
  await sql`select retira_avisos(${subject}, ${erase})`.execute(tx)
}
