import { emailKey, type User, type UserUpdate, userEntity, usersApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changeOf } from '../../platform/audit/record-change.ts'
import { readCompanyName } from '../../platform/brand/brand.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { answerEntitiesCsv } from '../../platform/http/lists/csv.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { assertDayToCome } from '../../platform/lib/day-to-come.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { notify, takeBack } from '../../platform/notifications/notify.ts'
import { accountApprovedMail, emailChangedMail } from '../accounts.mail.ts'
import { voidLinks, voidMailboxLinks, voidPasswordLinks } from '../credentials/account-links.ts'
import { sendConfirmation } from '../credentials/confirm-email.ts'
import { deleteFirstPassword } from '../credentials/first-password.ts'
import { notifyPasswordChanged } from '../credentials/notify-owner.ts'
import { assertPassword } from '../credentials/password-rules.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { assertRecentPassword } from '../credentials/recent-sign-in.ts'
import { assertNameFree, lockNames, newNameOf } from '../names/names-in-use.ts'
import { endAccessOf } from '../sessions/end-sessions.ts'
import { deviceMark, forgetDevices } from '../sessions/known-devices.ts'
import { approvalMail, serveApprovals } from './approvals.routes.ts'
import { serveInvitations } from './invitations.routes.ts'
import { notifyHealthAccess } from './notify-health-access.ts'
import { serveUserImport } from './user-import.routes.ts'
import {
  deleteUser,
  exportUsers,
  findUser,
  insertUser,
  listUsers,
  lockLastingAdmins,
  updateUser,
} from './users.repository.ts'
import {
  assertEmailProven,
  changesSessionTerms,
  couldRemoveAdmin,
  grantsHealthData,
  isLastingAdmin,
  isOnlyOne,
  needsConfirmationLink,
  needsNameCheck,
  needsReauthentication,
  newEmailOf,
} from './users.rules.ts'

/** An edit of an account, with what it means for links, sessions and notifications. */
interface Edit {
  before: User
  after: User
  isNewPassword: boolean
  isSelf: boolean
}

const hasMoved = (before: User, after: User): boolean =>
  emailKey(before.emailUsuario) !== emailKey(after.emailUsuario)

export const usersRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, config, secrets, now } = services

  serveList(app, usersApi.list, (query) => listUsers(db, query))

  serve(app, usersApi.exportCsv, async ({ query }, context) =>
    answerEntitiesCsv(db, context, userEntity, { query, list: await exportUsers(db, query) }),
  )

  serve(app, usersApi.get, async ({ params }) => orNotFound(await findUser(db, params.id)), {
    authorize: async ({ id }, user) => {
      if (user.tipo !== 'ADMIN' && user.idUsuario !== id) throw new Problem('sem_permissao')
    },
  })

  serve(app, usersApi.create, async ({ body }, { write }) => {
    const { senhaUsuario, ...person } = body
    assertPassword(senhaUsuario, {
      owner: person,
      companyName: await readCompanyName(services),
      field: 'senhaUsuario',
    })
    const senhaHash = await hashPassword(senhaUsuario)
    assertDayToCome(body.validoAte, { today: dayOf(now()) })
    return write.after(lockNames)(async (tx, audit) => {
      const created = await insertUser(tx, { ...person, senhaHash, trocarSenha: 'pedida' })
      await assertNameFree(tx, created)
      await audit('user.created', subjectOf(created.idUsuario), { depois: created })
      return created
    })
  })

  /**
   * Checks and hashes a password that an edit types; undefined without one.
   * @throws Problem 422 at `senhaUsuario`; 403 when callers change their own without a recent password
   */
  const hashTyped = async (
    id: number,
    { senhaUsuario, nomeUsuario, emailUsuario }: UserUpdate,
    user: Caller,
  ): Promise<string | undefined> => {
    if (senhaUsuario == null) return undefined
    if (id === user.idUsuario) await assertRecentPassword(services, user, undefined)
    const known = orNotFound(await findUser(db, id))
    assertPassword(senhaUsuario, {
      owner: {
        nomeUsuario: nomeUsuario ?? known.nomeUsuario,
        emailUsuario: emailUsuario ?? known.emailUsuario,
      },
      companyName: await readCompanyName(services),
      field: 'senhaUsuario',
    })
    return hashPassword(senhaUsuario)
  }

  serve(app, usersApi.update, async ({ params: { id }, body }, context) => {
    const { user, request, assertReauthenticated, write } = context
    const { senhaUsuario: _, ...fields } = body
    const isSelf = id === user.idUsuario
    const senhaHash = await hashTyped(id, body, user)
    const isNewPassword = senhaHash !== undefined
    const password = isNewPassword ? { senhaHash, trocarSenha: isSelf ? null : ('pedida' as const) } : {}
    const isPower = couldRemoveAdmin(body)
    const takeLocks = async (tx: Db) => {
      await lockNames(tx)
      if (isPower) await lockLastingAdmins(tx)
    }
    const updated = await write.after(takeLocks)(async (tx, audit) => {
      // Locked by `takeLocks` already, before the caller's row: this reads whom.
      const admins = isPower ? await lockLastingAdmins(tx) : []
      const before = await lockEntity(tx, userEntity, id, findUser, ifMatchOf(request))
      const today = dayOf(now())
      assertDayToCome(body.validoAte, { before: before.validoAte, today })
      const nomeUsuario = newNameOf(before.nomeUsuario, fields.nomeUsuario)
      const emailUsuario = newEmailOf(before.emailUsuario, fields.emailUsuario)
      const after = await updateUser(tx, id, { ...fields, nomeUsuario, emailUsuario, ...password })
      if (isLastingAdmin(before) && !isLastingAdmin(after) && isOnlyOne(admins, id)) {
        throw new Problem(
          'ultimo_administrador',
          after.validoAte === null ? {} : { detail: ONLY_ONE_LASTING },
        )
      }
      if (isSelf && grantsHealthData(before, after)) throw new Problem('sem_permissao', { detail: OWN_GRANT })
      if ((isNewPassword && !isSelf) || needsReauthentication(before, after, today)) assertReauthenticated()
      if (before.situacao !== 'ATIVO' && after.situacao === 'ATIVO') assertEmailProven(after, config)
      if (needsNameCheck(before, after)) await assertNameFree(tx, after)
      const edit: Edit = { before, after, isNewPassword, isSelf }
      await replaceLinks(tx, edit, user)
      const ended = await endSessions(tx, edit, { user, request })
      await notifyOfEdit(tx, edit, user)
      const { depois, ...changed } = changeOf(before, after)
      await audit('user.updated', subjectOf(id), {
        ...changed,
        depois: { ...depois, ...(isNewPassword ? { senhaUsuario: 'alterada' } : {}) },
        ...ended,
      })
      return after
    })
    if (isNewPassword) deleteFirstPassword(config, id)
    return updated
  })

  /** Voids the links that the edit makes invalid, and queues e-mails: links, an approval, a new address. */
  const replaceLinks = async (
    tx: Db,
    { before, after, isNewPassword }: Edit,
    user: Caller,
  ): Promise<void> => {
    const id = after.idUsuario
    if (before.situacao === 'PENDENTE' && after.situacao !== 'PENDENTE') {
      await takeBack(tx, subjectOf(id))
      if (after.situacao === 'ATIVO')
        await queueMail(tx, services, accountApprovedMail, approvalMail(after, config))
    }
    const isMoved = hasMoved(before, after)
    if (before.situacao !== after.situacao) await voidLinks(tx, id)
    else if (isMoved) await voidMailboxLinks(tx, id)
    else if (isNewPassword) await voidPasswordLinks(tx, id)
    if (isMoved && needsConfirmationLink(before, after)) {
      const aguardaAprovacao = after.situacao === 'PENDENTE'
      await sendConfirmation(tx, services, { ...after, aguardaAprovacao })
    }
    // While pending, the mailbox was not proven to be the user's, so the former address gets no
    // e-mail.
    if (isMoved && before.situacao === 'ATIVO')
      await queueMail(tx, services, emailChangedMail, movedMail(before, user, now()))
  }

  /** Ends the sessions that a new password or changed terms no longer allow. */
  const endSessions = async (
    tx: Db,
    { before, after, isNewPassword, isSelf }: Edit,
    { user, request }: { user: Caller; request: FastifyRequest },
  ): Promise<Awaited<ReturnType<typeof endAccessOf>>> => {
    const isChanged = changesSessionTerms(before, after)
    if (!isNewPassword && !isChanged) return { sessoesEncerradas: 0 }
    // An edit of the caller's own account keeps this session, unless it changes what the session was
    // opened with.
    const kept = isSelf && !isChanged ? user.idSessao : undefined
    await forgetDevices(tx, after.idUsuario, kept && deviceMark(request, secrets.digest))
    return endAccessOf(tx, after.idUsuario, { now: now(), kept })
  }

  const notifyOfEdit = async (
    tx: Db,
    { before, after, isNewPassword, isSelf }: Edit,
    user: Caller,
  ): Promise<void> => {
    const needsAdminAdvice = isNewPassword && after.situacao === 'ATIVO' && !before.convitePendente
    if (needsAdminAdvice) await notifyPasswordChanged(tx, services, after)
    await notifyHealthAccess(
      tx,
      { before, after, by: { name: user.nomeUsuario, idUsuario: user.idUsuario } },
      now(),
    )
    const guardians = { audience: 'guardioes', but: [user.idUsuario], kind: 'seguranca_alterada' } as const
    if (hasMoved(before, after))
      await notify(tx, { ...guardians, bell: emailMoved(before, after, user) }, now())
    // The password opens the medical records, to which an ADMIN may not grant themselves access.
    if (isNewPassword && !isSelf && (before.acessoProntuario || before.encarregadoDados))
      await notify(tx, { ...guardians, bell: passwordTyped(before, user) }, now())
  }

  serve(app, usersApi.remove, async ({ params: { id } }, { user, write }) => {
    if (id === user.idUsuario) throw new Problem('propria_conta')
    await write.after(lockLastingAdmins)(async (tx, audit) => {
      const admins = await lockLastingAdmins(tx)
      const before = orNotFound(await deleteUser(tx, id))
      if (isLastingAdmin(before) && isOnlyOne(admins, id)) throw new Problem('ultimo_administrador')
      await audit('user.deleted', subjectOf(id), { antes: before })
    })
  })

  serveApprovals(app, services)
  serveInvitations(app, services)
  serveUserImport(app, services)
}

/** Sent to the former address, so that its owner learns of an unrequested change. */
const movedMail = (before: User, { nomeUsuario: por }: Caller, now: Date) => ({
  para: before.emailUsuario,
  mail: {
    nome: before.nomeUsuario,
    por,
    quando: now.toISOString(),
  },
})

const emailMoved = (before: User, after: User, { nomeUsuario }: Caller) => ({
  titulo: 'E-mail de uma conta trocado',
  texto: `${nomeUsuario} trocou o e-mail de ${before.nomeUsuario}: de ${before.emailUsuario} para ${after.emailUsuario}.`,
})

const passwordTyped = (before: User, { nomeUsuario }: Caller) => ({
  titulo: 'Senha de uma conta com acesso a dados de saúde trocada',
  texto: `${nomeUsuario} digitou uma senha nova para ${before.nomeUsuario}, que tem acesso a prontuários ou é encarregado de dados.`,
})

const ONLY_ONE_LASTING =
  'Esta é a única conta de administrador sem prazo: sem ela, ninguém mais administraria o portal. Torne outra pessoa administradora primeiro.'

const OWN_GRANT =
  'Você não pode dar a si mesmo o acesso a prontuários nem a função de encarregado. Peça a outro administrador; se você é o único, use no servidor o comando npm run records:grant.'

const subjectOf = (id: number) => `usuario:${id}`
