import { emailKey, type User, type UserImport, usersApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { readCompanyName } from '../../platform/brand/brand.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { previewOf, refuseFaults } from '../../platform/http/lists/import-lines.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { queueMails } from '../../platform/mail/queue-mail.ts'
import { invitationMail } from '../accounts.mail.ts'
import { createFirstLinks } from '../credentials/account-links.ts'
import { weaknessOf } from '../credentials/password-rules.ts'
import { assertPasswordSignIn } from '../credentials/password-sign-in.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { findNameOwners, lockNames, nameInUseOf } from '../names/names-in-use.ts'
import { invitationContent } from './invitation-mail.ts'
import { joinProfiles } from './join-profiles.ts'
import {
  type AccountDraft,
  findEmailsInUse,
  findProfilesByName,
  insertUsersOfNewEmails,
} from './users.repository.ts'
import {
  emailsOf,
  namesOf,
  profileNamesOf,
  type ValidatedUser,
  validateLines,
  withEmailTaken,
  withNamesTaken,
} from './users.rules.ts'

/**
 * Bytes. 500 lines of the longest names, e-mails and passwords in three-byte characters are about
 * 650 KB.
 */
const bodyLimit = 1024 * 1024

/** Each hash takes one core and 19 MiB; more at once would slow all other calls down. */
const hashedAtOnce = 4

export const serveUserImport = (app: FastifyInstance, services: Services): void => {
  const { config } = services

  serve(
    app,
    usersApi.previewImport,
    async ({ body }) => {
      if (body.convidar) assertPasswordSignIn(config)
      const validated = await validate(services, body)
      return previewOf(validated, ({ nomeUsuario, emailUsuario }) => ({ nomeUsuario, emailUsuario }))
    },
    { bodyLimit },
  )

  serve(
    app,
    usersApi.import,
    async ({ body }, { user, assertReauthenticated, write }) => {
      if (body.convidar) assertPasswordSignIn(config)
      const validated = await validate(services, body)
      refuseFaults(validated)
      // A typed password counts as proof of the e-mail, which is the row-level security identity.
      if (!body.convidar || body.linhas.some(({ identidadeRls }) => identidadeRls)) assertReauthenticated()
      const drafts = await hashed(validated)
      return write.after(lockNames)(async (tx, audit) => {
        // Names may have been taken since the lines were checked.
        refuseFaults(withNamesTaken(validated, await namesInUse(tx, body)))
        const created = await insertUsersOfNewEmails(tx, drafts)
        refuseFaults(leftOut(validated, created))
        const members = membershipsOf(validated, created)
        await joinProfiles(tx, members)
        const joined = Map.groupBy(members, ({ idUsuario }) => idUsuario)
        if (body.convidar) await inviteAll(tx, services, created, user.nomeUsuario)
        await audit('user.imported', 'users', {
          cadastrados: created.length,
          convidados: body.convidar,
          usuarios: created.map(({ idUsuario, nomeUsuario, emailUsuario }) => ({
            idUsuario,
            nomeUsuario,
            emailUsuario,
            idPerfis: joined.get(idUsuario)?.map(({ idPerfil }) => idPerfil),
          })),
        })
        return { cadastrados: created.length }
      })
    },
    { bodyLimit },
  )
}

const validate = async (
  { db, ...services }: Pick<Services, 'db' | 'config' | 'readBrand'>,
  { linhas, convidar }: UserImport,
): Promise<ValidatedUser[]> => {
  const companyName = await readCompanyName(services)
  return validateLines(linhas, {
    emailsInUse: await findEmailsInUse(db, emailsOf(linhas)),
    namesInUse: await namesInUse(db, { linhas }),
    profiles: await findProfilesByName(db, [...new Set(linhas.flatMap(profileNamesOf))]),
    isInvited: convidar,
    weaknessOf: ({ senhaUsuario, ...owner }) => weaknessOf(senhaUsuario, owner, companyName),
  })
}

/** Returns the names of the file that another account has, each with its error message. */
const namesInUse = async (db: Db, { linhas }: Pick<UserImport, 'linhas'>): Promise<Map<string, string>> => {
  const names = namesOf(linhas)
  const owners = await findNameOwners(db, names)
  return new Map(
    names.flatMap((name, at) => {
      const owner = owners[at]
      return owner ? [[name, nameInUseOf(owner)] as const] : []
    }),
  )
}

/** The lines whose e-mail another account took after they were checked. */
const leftOut = (validated: ValidatedUser[], created: Pick<User, 'emailUsuario'>[]): ValidatedUser[] => {
  const written = new Set(created.map(({ emailUsuario }) => emailKey(emailUsuario)))
  return validated.filter(({ data }) => data && !written.has(emailKey(data.emailUsuario))).map(withEmailTaken)
}

const membershipsOf = (validated: ValidatedUser[], created: Pick<User, 'idUsuario' | 'emailUsuario'>[]) => {
  const ids = new Map(created.map(({ emailUsuario, idUsuario }) => [emailKey(emailUsuario), idUsuario]))
  return validated.flatMap(({ data }) => {
    if (!data) return []
    const idUsuario = ids.get(emailKey(data.emailUsuario))
    return idUsuario === undefined ? [] : data.idPerfis.map((idPerfil) => ({ idUsuario, idPerfil }))
  })
}

/** Queues one invitation for each new user. */
const inviteAll = async (
  tx: Db,
  services: Pick<Services, 'config' | 'secrets' | 'now'>,
  people: Pick<User, 'idUsuario' | 'nomeUsuario' | 'emailUsuario'>[],
  convidadoPor: string,
): Promise<void> => {
  const importedIds = people.map(({ idUsuario }) => idUsuario)
  const tokens = await createFirstLinks(tx, services, { idUsuarios: importedIds, tipo: 'convite' })
  const messages = people.map(({ nomeUsuario, emailUsuario }, index) => ({
    para: emailUsuario,
    mail: invitationContent(services.config, { nome: nomeUsuario, convidadoPor, token: tokens[index] ?? '' }),
  }))
  await queueMails(tx, services, invitationMail, messages)
}

/** Hashes the passwords; an invited person has none yet. */
const hashed = async (validated: ValidatedUser[]): Promise<AccountDraft[]> => {
  const waiting = validated.flatMap(({ data }) => (data ? [data] : [])).entries()
  const done: AccountDraft[] = []
  // All workers share one iterator.
  const work = async () => {
    for (const [index, { senhaUsuario, idPerfis: _, ...person }] of waiting) {
      done[index] = senhaUsuario
        ? { ...person, senhaHash: await hashPassword(senhaUsuario), trocarSenha: 'pedida' }
        : { ...person, senhaHash: null }
    }
  }
  await Promise.all(Array.from({ length: hashedAtOnce }, work))
  return done
}
