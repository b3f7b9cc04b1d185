import { type UserImport, usersApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { weaknessOf } from '../../auth/password-rules.ts'
import { hashPassword } from '../../auth/passwords.ts'
import type { Db } from '../../db/open-database.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import { findNameOwners, lockNames, nameInUseOf } from '../../names/names-in-use.ts'
import { findEmailsInUse, insertUsersOfNewEmails, type NewUser } from './users.repository.ts'
import {
  emailKey,
  emailsOf,
  faultsOf,
  type JudgedLine,
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
  { db, config, recordAudit }: Pick<Services, 'db' | 'config' | 'recordAudit'>,
): void => {
  serve(
    app,
    usersApi.previewImport,
    async ({ body }) => {
      const judged = await judge({ db, config }, body)
      const validas = judged.filter(({ draft }) => draft).length
      const linhas = judged.map(({ line, erros, draft }) => ({
        linha: line.linha,
        nomeUsuario: draft?.nomeUsuario ?? line.nomeUsuario,
        emailUsuario: draft?.emailUsuario ?? line.emailUsuario,
        erros,
      }))
      return { linhas, validas, invalidas: judged.length - validas }
    },
    { bodyLimit },
  )

  serve(
    app,
    usersApi.import,
    async ({ body }, { user, request, write }) => {
      const judged = await judge({ db, config }, body)
      refuseFaults(judged)
      const drafts = await hashed(judged)
      return write.after(lockNames)(async (tx) => {
        // Names may have been taken since the lines were checked.
        refuseFaults(withNamesTaken(judged, await namesInUse(tx, body)))
        const created = await insertUsersOfNewEmails(tx, drafts)
        refuseFaults(leftOut(judged, created))
        await recordAudit(tx, {
          action: 'user.imported',
          idUsuario: user.idUsuario,
          subject: 'users',
          details: {
            cadastrados: created.length,
            usuarios: created.map(({ idUsuario, nomeUsuario, emailUsuario }) => ({
              idUsuario,
              nomeUsuario,
              emailUsuario,
            })),
          },
          request,
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
): Promise<JudgedLine[]> =>
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

const refuseFaults = (judged: JudgedLine[]): void => {
  const campos = faultsOf(judged)
  if (Object.keys(campos).length > 0) throw new Problem('importacao_com_falhas', { campos })
}

/** The lines whose e-mail another account took after they were checked. */
const leftOut = (judged: JudgedLine[], created: { emailUsuario: string }[]): JudgedLine[] => {
  const written = new Set(created.map(({ emailUsuario }) => emailKey(emailUsuario)))
  return judged.filter(({ draft }) => draft && !written.has(emailKey(draft.emailUsuario))).map(withEmailTaken)
}

const hashed = async (judged: JudgedLine[]): Promise<NewUser[]> => {
  const waiting = judged.flatMap(({ draft }) => draft ?? []).entries()
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
