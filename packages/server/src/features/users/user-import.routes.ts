import { type UserImport, usersApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { weaknessOf } from '../../auth/password-rules.ts'
import { hashPassword } from '../../auth/passwords.ts'
import type { Db } from '../../db/open-database.ts'
import { previewOf, refuseFaults } from '../../http/import-lines.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { findNameOwners, lockNames, nameInUseOf } from '../../names/names-in-use.ts'
import { findEmailsInUse, insertUsersOfNewEmails, type NewUser } from './users.repository.ts'
import {
  emailKey,
  emailsOf,
  type JudgedUser,
  judgeLines,
  namesOf,
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

export const serveUserImport = (
  app: FastifyInstance,
  { db, config }: Pick<Services, 'db' | 'config'>,
): void => {
  serve(
    app,
    usersApi.previewImport,
    async ({ body }) => {
      const judged = await judge({ db, config }, body)
      return previewOf(judged, ({ nomeUsuario, emailUsuario }) => ({ nomeUsuario, emailUsuario }))
    },
    { bodyLimit },
  )

  serve(
    app,
    usersApi.import,
    async ({ body }, { write }) => {
      const judged = await judge({ db, config }, body)
      refuseFaults(judged)
      const drafts = await hashed(judged)
      return write.after(lockNames)(async (tx, audit) => {
        // Names may have been taken since the lines were checked.
        refuseFaults(withNamesTaken(judged, await namesInUse(tx, body)))
        const created = await insertUsersOfNewEmails(tx, drafts)
        refuseFaults(leftOut(judged, created))
        await audit('user.imported', 'users', {
          cadastrados: created.length,
          usuarios: created.map(({ idUsuario, nomeUsuario, emailUsuario }) => ({
            idUsuario,
            nomeUsuario,
            emailUsuario,
          })),
        })
        return { cadastrados: created.length }
      })
    },
    { bodyLimit },
  )
}

const judge = async (
  { db, config }: Pick<Services, 'db' | 'config'>,
  { linhas }: UserImport,
): Promise<JudgedUser[]> =>
  judgeLines(
    linhas,
    await findEmailsInUse(db, emailsOf(linhas)),
    await namesInUse(db, { linhas }),
    ({ senhaUsuario, ...owner }) => weaknessOf(senhaUsuario, owner, config.companyName),
  )

/** Returns the names of the file that another account has, each with its error message. */
const namesInUse = async (db: Db, { linhas }: UserImport): Promise<Map<string, string>> => {
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
const leftOut = (judged: JudgedUser[], created: { emailUsuario: string }[]): JudgedUser[] => {
  const written = new Set(created.map(({ emailUsuario }) => emailKey(emailUsuario)))
  return judged.filter(({ data }) => data && !written.has(emailKey(data.emailUsuario))).map(withEmailTaken)
}

const hashed = async (judged: JudgedUser[]): Promise<NewUser[]> => {
  const waiting = judged.flatMap(({ data }) => data ?? []).entries()
  const done: NewUser[] = []
  // All workers share one iterator.
  const work = async () => {
    for (const [index, { senhaUsuario, ...person }] of waiting) {
      done[index] = { ...person, senhaHash: await hashPassword(senhaUsuario), trocarSenha: 'pedida' }
    }
  }
  await Promise.all(Array.from({ length: hashedAtOnce }, work))
  return done
}
