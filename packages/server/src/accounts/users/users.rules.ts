import {
  emailKey,
  emailOf,
  ImportedInvitation,
  ImportedUser,
  problems,
  type User,
  UserDraft,
  type UserImport,
  type UserUpdate,
} from '@bi-manager/contract'
import type { Config } from '../../platform/config/config.ts'
import type { ValidatedLine } from '../../platform/http/lists/import-lines.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { nameSkeleton } from '../names/name-skeleton.ts'
import { changesRows, rowsOfPerson } from './row-source.ts'

/** Returns whether the change could leave the portal without a lasting ADMIN. */
export const couldRemoveAdmin = ({ tipoUsuario, situacao, validoAte }: UserUpdate): boolean =>
  tipoUsuario === 'USER' ||
  (validoAte !== undefined && validoAte !== null) ||
  (situacao !== undefined && situacao !== 'ATIVO')

const isActiveAdmin = ({ tipoUsuario, situacao, validoAte }: User, today: string): boolean =>
  tipoUsuario === 'ADMIN' && situacao === 'ATIVO' && (validoAte === null || validoAte >= today)

/** Returns whether the user is an active ADMIN whose account has no end. */
export const isLastingAdmin = ({ tipoUsuario, situacao, validoAte }: User): boolean =>
  tipoUsuario === 'ADMIN' && situacao === 'ATIVO' && validoAte === null

/** Returns whether there is no other lasting ADMIN. */
export const isOnlyOne = (lastingAdmins: number[], id: number): boolean =>
  lastingAdmins.every((idUsuario) => idUsuario === id)

/**
 * Returns the e-mail to store. An older account may have another spelling of the domain, by which
 * row-level security compares: a form that sends the same address does not change it.
 */
export const newEmailOf = (stored: string, sent: string | undefined): string | undefined =>
  sent !== undefined && sent === emailOf(stored) ? stored : sent

/** @throws Problem 409 when an account with an unproven e-mail would become active */
export const assertEmailProven = (
  { emailComprovado }: User,
  { passwordSignIn }: Pick<Config, 'passwordSignIn'>,
): void => {
  if (emailComprovado) return
  throw new Problem('email_nao_confirmado', passwordSignIn ? {} : { detail: withoutInvitations })
}

const withoutInvitations =
  'O provedor de identidade não confirma este e-mail. Peça à pessoa que use o link de confirmação que recebeu; outro chega quando ela entra de novo. Se só a empresa cria contas no provedor, veja OIDC_TRUST_EMAIL no manual.'

/**
 * Returns whether a corrected e-mail needs a confirmation link: the ADMIN vouches for the address,
 * but a stranger may have set the password. An invitation proves the e-mail by its own link.
 */
export const needsConfirmationLink = (before: User, after: User): boolean =>
  !after.emailComprovado && !before.convitePendente && after.situacao !== 'BLOQUEADO'

/**
 * Returns whether the change must pass the check for similar names. Accounts with names from before
 * that check can still be edited.
 */
export const needsNameCheck = (before: User, after: User): boolean =>
  before.nomeUsuario !== after.nomeUsuario || (before.situacao !== 'ATIVO' && after.situacao === 'ATIVO')

/**
 * Returns whether a value changed that was fixed when the sessions opened, such as the `client_id`
 * that clients send.
 */
export const changesSessionTerms = (before: User, after: User): boolean =>
  before.tipoUsuario !== after.tipoUsuario ||
  before.situacao !== after.situacao ||
  before.idResponsavel !== after.idResponsavel

/** Returns whether the change turns on a flag that opens health data. */
export const grantsHealthData = (before: User, after: User): boolean =>
  (after.acessoProntuario && !before.acessoProntuario) || (after.encarregadoDados && !before.encarregadoDados)

/**
 * Returns whether the change grants power, other rows of reports, or access to the account, and so
 * needs a recent proof.
 * The ADMIN role counts even while the account is not active. A pending account is one that any
 * session may refuse, which deletes it, or approve.
 */
export const needsReauthentication = (before: User, after: User, today: string): boolean =>
  grantsHealthData(before, after) ||
  changesRows(rowsOfPerson(before), rowsOfPerson(after)) ||
  (after.tipoUsuario === 'ADMIN' && before.tipoUsuario !== 'ADMIN') ||
  (isActiveAdmin(after, today) && !isActiveAdmin(before, today)) ||
  (before.situacao === 'BLOQUEADO' && after.situacao !== 'BLOQUEADO') ||
  (before.situacao !== 'PENDENTE' && after.situacao === 'PENDENTE') ||
  (hasEnded(before, today) && !hasEnded(after, today))

const hasEnded = ({ validoAte }: User, today: string): boolean => validoAte !== null && validoAte < today

type ImportLine = UserImport['linhas'][number]

/** What a line creates. */
type ImportData = (ImportedUser | ImportedInvitation) & { idPerfis: number[] }

export type ValidatedUser = ValidatedLine<ImportLine, ImportData>

/** What the lines are compared with. */
interface Known {
  emailsInUse: ReadonlySet<string>
  /** Name → error message, for names that another account has. */
  namesInUse: ReadonlyMap<string, string>
  /** Name as the file writes it → id. */
  profiles: ReadonlyMap<string, number>
  /** Everyone gets an invitation, and no password. */
  isInvited: boolean
  /** Returns why the password of an otherwise valid line is refused. */
  weaknessOf: (draft: ImportedUser) => string | undefined
}

/** Returns the valid e-mails of the lines, without duplicates. */
export const emailsOf = (lines: ImportLine[]): string[] => [
  ...new Set(lines.flatMap((line) => validEmail(line) ?? [])),
]

/** Returns the valid names of the lines, without duplicates. */
export const namesOf = (lines: ImportLine[]): string[] => [
  ...new Set(lines.flatMap((line) => validName(line) ?? [])),
]

/**
 * Checks every line and reports all errors. Of lines with the same e-mail or similar names, the
 * first one counts.
 */
export const validateLines = (
  lines: ImportLine[],
  { emailsInUse, namesInUse, profiles, isInvited, weaknessOf }: Known,
): ValidatedUser[] => {
  const firstOf = new Map<string, number>()
  const firstOfName = new Map<string, number>()
  return lines.map((line) => {
    const { data, error } = (isInvited ? ImportedInvitation : ImportedUser).safeParse(line)
    const erros: Record<string, string> = {}
    for (const { path, message } of error?.issues ?? []) erros[String(path[0])] ??= message
    const weakness = data?.senhaUsuario && weaknessOf({ ...data, senhaUsuario: data.senhaUsuario })
    if (weakness) erros.senhaUsuario = weakness
    const email = validEmail(line)
    if (email !== undefined) {
      const first = firstOf.get(email)
      if (first === undefined) firstOf.set(email, line.linha)
      else erros.emailUsuario = `O mesmo e-mail está na linha ${first}.`
      if (emailsInUse.has(email)) erros.emailUsuario = problems.email_em_uso.detail
    }
    const name = validName(line)
    if (name !== undefined) {
      const keys = [nameSkeleton(name), name.toLowerCase()]
      const first = keys.map((key) => firstOfName.get(key)).find((found) => found !== undefined)
      if (first !== undefined) erros.nomeUsuario = `Este nome se confunde com o da linha ${first}.`
      for (const key of keys) if (!firstOfName.has(key)) firstOfName.set(key, line.linha)
      const inUse = namesInUse.get(name)
      if (inUse !== undefined) erros.nomeUsuario = inUse
    }
    const names = profileNamesOf(line)
    const unknown = names.find((profile) => !profiles.has(profile))
    if (unknown !== undefined) erros.perfis = `O perfil “${unknown}” não existe.`
    const idPerfis = [...new Set(names.flatMap((profile) => profiles.get(profile) ?? []))]
    const isGood = data && Object.keys(erros).length === 0
    return { line, erros, data: isGood ? { ...data, idPerfis } : undefined }
  })
}

/** Returns the names of the profiles in the cell of a line. */
export const profileNamesOf = ({ perfis = '' }: ImportLine): string[] => [
  ...new Set(
    perfis
      .split('|')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
]

/** Returns the line with the error that its e-mail is in use. */
export const withEmailTaken = ({ line }: ValidatedUser): ValidatedUser => ({
  line,
  erros: { emailUsuario: problems.email_em_uso.detail },
  data: undefined,
})

/** Returns the lines whose name another account has, with that error. */
export const withNamesTaken = (
  validated: ValidatedUser[],
  namesInUse: ReadonlyMap<string, string>,
): ValidatedUser[] =>
  validated.flatMap((one) => {
    const nomeUsuario = one.data && namesInUse.get(one.data.nomeUsuario)
    return nomeUsuario === undefined ? [] : [{ ...one, erros: { nomeUsuario }, data: undefined }]
  })

const validName = ({ nomeUsuario }: ImportLine): string | undefined =>
  UserDraft.shape.nomeUsuario.safeParse(nomeUsuario).data

const validEmail = ({ emailUsuario }: ImportLine): string | undefined => {
  const { data } = UserDraft.shape.emailUsuario.safeParse(emailUsuario)
  return data === undefined ? undefined : emailKey(data)
}
