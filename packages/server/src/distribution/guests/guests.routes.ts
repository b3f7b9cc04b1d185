import {
  type Guest,
  type GuestSettings,
  type GuestSettingsUpdate,
  guestEntity,
  guestsApi,
} from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { mailboxOf, withAttempt } from '../../accounts/index.ts'
import { changeOf, explainMissedUpdate } from '../../platform/audit/record-change.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { endOfDay } from '../../platform/db/queries/expiry.ts'
import { insertEntity, updateEntity } from '../../platform/db/queries/records.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { defined } from '../../platform/lib/defined.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { guestInvitationMail } from './guests.mail.ts'
import {
  endVisits,
  findRefusedFields,
  guestFinder,
  holdGuestSettings,
  listGuests,
  lockGuestSettings,
  readGuestSettings,
  revokeGuests,
  updateGuestSettings,
} from './guests.repository.ts'
import { invitationAddress } from './invitation.ts'

const dayMs = 24 * 3_600_000

/** Invitations to one e-mail address in 15 minutes, of all reports and ADMINs together. */
const invitationsAtMost = 5

const settingsSubject = 'configuracao:convidados'

export const subjectOf = (idConvidado: number): string => `convidado:${idConvidado}`

/** Guests and the rules for them, for administrators. */
export const guestsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, now, config, secrets } = services
  const findGuest = guestFinder(now)

  serveList(app, guestsApi.list, (query) => listGuests(db, query, now()))

  serve(app, guestsApi.get, async ({ params }) => orNotFound(await findGuest(db, params.id)))

  /** @throws Problem 409 `convidados_desligados` */
  const holdRules = async (tx: Db): Promise<GuestSettings> => {
    const rules = await holdGuestSettings(tx)
    if (!rules.ligado) throw new Problem('convidados_desligados')
    return rules
  }

  const sendInvitation = (tx: Db, guest: Guest, { nomeUsuario }: Caller) =>
    queueMail(tx, services, guestInvitationMail, {
      para: guest.emailConvidado,
      mail: {
        nome: '',
        por: nomeUsuario,
        relatorio: guest.nomeRelatorio,
        ultimoDia: guest.ultimoDia,
        link: invitationAddress(config, secrets, guest.idConvidado),
      },
    })

  /**
   * Runs work that sends an invitation, and counts it against the limit of the e-mail address. Work
   * that fails does not count.
   * @throws Problem 429 `muitos_convites`
   */
  const countInvitation = (email: string, work: () => Promise<Guest>): Promise<Guest> => {
    const key = secrets.digest(`convidado-convite:${mailboxOf(email)}`)
    const allowances = [{ key, limit: invitationsAtMost }]
    return withAttempt({ db, now }, { allowances, isFailure: () => false }, work).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.codigo !== 'muitas_tentativas') throw error
      throw new Problem('muitos_convites', defined({ retryAfter: error.retryAfter }))
    })
  }

  serve(app, guestsApi.create, ({ body }, { user, write }) => {
    const { ultimoDia, ...values } = body
    return countInvitation(values.emailConvidado, () =>
      write(async (tx, audit) => {
        assertLastDay(ultimoDia, await holdRules(tx), now())
        const created = await insertEntity(
          tx,
          guestEntity,
          { ...defined(values), ...termsOf(ultimoDia, user), convidadoEm: now() },
          findGuest,
        )
        await assertSavable(tx, created)
        await audit('guest.created', subjectOf(created.idConvidado), { depois: created })
        await sendInvitation(tx, created, user)
        return created
      }),
    )
  })

  serve(app, guestsApi.update, ({ params: { id }, body }, { user, request, write }) => {
    const { ultimoDia, ...values } = body
    return write(async (tx, audit) => {
      const rules = await holdRules(tx)
      const before = await lockEntity(tx, guestEntity, id, findGuest, ifMatchOf(request))
      assertNotRevoked(before)
      if (ultimoDia !== before.ultimoDia) assertLastDay(ultimoDia, rules, now())
      const change = { ...defined(values), ...termsOf(ultimoDia, user) }
      await endVisits(tx, [id])
      const updated = await updateEntity(tx, guestEntity, id, change, findGuest)
      await assertSavable(tx, updated)
      await audit('guest.updated', subjectOf(id), changeOf(before, updated))
      return updated
    })
  })

  serve(app, guestsApi.inviteAgain, async ({ params: { id } }, { user, write }) => {
    const { emailConvidado } = orNotFound(await findGuest(db, id))
    return countInvitation(emailConvidado, () =>
      write(async (tx, audit) => {
        await holdRules(tx)
        const guest = await lockEntity(tx, guestEntity, id, findGuest)
        assertNotRevoked(guest)
        await sendInvitation(tx, guest, user)
        await audit('guest.invited-again', subjectOf(id))
        return guest
      }),
    )
  })

  serve(app, guestsApi.revoke, ({ params: { id } }, { write }) =>
    write(async (tx, audit) => {
      await lockEntity(tx, guestEntity, id, findGuest)
      const [revoked] = await revokeGuests(tx, now(), id)
      if (revoked !== undefined) await audit('guest.revoked', subjectOf(id))
      return orNotFound(await findGuest(tx, id))
    }),
  )

  serve(app, guestsApi.revokeAll, (_, { write }) =>
    write(async (tx, audit) => {
      const revoked = await revokeGuests(tx, now())
      await audit('guest.all-revoked', guestEntity.list, { idConvidado: revoked })
      return { revogados: revoked.length }
    }),
  )

  serve(app, guestsApi.getSettings, () => readGuestSettings(db))

  serve(app, guestsApi.updateSettings, ({ body }, { user, request, assertReauthenticated, write }) =>
    write(async (tx, audit) => {
      const ifMatch = ifMatchOf(request)
      const before = await lockGuestSettings(tx)
      if (isLooser(before, body)) assertReauthenticated()
      const after = await updateGuestSettings(tx, body, ifMatch)
      if (!after) throw await explainMissedUpdate(tx, { exists: true, subject: settingsSubject, ifMatch })
      if (!after.ligado) await endVisits(tx)
      await audit('guest-rules.updated', settingsSubject, changeOf(before, after))
      const texto = `${user.nomeUsuario} mudou as regras dos convidados.`
      const bell = { titulo: 'Regras dos convidados mudadas', texto }
      const but = [user.idUsuario]
      await notify(tx, { audience: 'guardioes', but, kind: 'seguranca_alterada', bell }, now())
      return after
    }),
  )
}

/** Who saves an invitation answers for it from then on. */
const termsOf = (ultimoDia: string, { idUsuario }: Caller) => ({
  venceEm: endOfDay(ultimoDia).$notNull(),
  convidadoPor: idUsuario,
})

/** @throws Problem 422 at `ultimoDia` when it has passed, or is too far away */
const assertLastDay = (day: string, { diasMaximos }: GuestSettings, now: Date): void => {
  const most = dayOf(new Date(now.getTime() + diasMaximos * dayMs))
  if (day >= dayOf(now) && day <= most) return
  const days = diasMaximos === 1 ? '1 dia' : `${diasMaximos} dias`
  const ultimoDia = `Informe um dia entre hoje e ${most.split('-').reverse().join('/')}: as regras permitem ${days}.`
  throw new Problem('campos_invalidos', { campos: { ultimoDia } })
}

const assertNotRevoked = ({ situacao }: Guest): void => {
  if (situacao === 'REVOGADO') throw new Problem('convidado_revogado')
}

/** @throws Problem 422 with the messages of `findRefusedFields` */
const assertSavable = async (tx: Db, { idConvidado }: Guest): Promise<void> => {
  const campos = await findRefusedFields(tx, idConvidado)
  if (Object.keys(campos).length > 0) throw new Problem('campos_invalidos', { campos })
}

/** Whether more people, for longer or from more networks, may visit. */
const isLooser = (before: GuestSettings, after: GuestSettingsUpdate): boolean =>
  (after.ligado && !before.ligado) ||
  after.diasMaximos > before.diasMaximos ||
  isWider(before.dominios, after.dominios) ||
  isWider(before.redes, after.redes)

/** An empty list stands for all. */
const isWider = (before: string[], after: string[]): boolean =>
  before.length > 0 && (after.length === 0 || after.some((one) => !before.includes(one)))
