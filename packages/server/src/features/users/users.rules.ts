import { problems, type User, UserDraft, type UserImport, type UserUpdate } from '@bi-manager/contract'
import type { Config } from '../../config.ts'
import { nameSkeleton } from '../../names/name-skeleton.ts'
import { Problem } from '../../problem.ts'

/** Whether a change asks for what only another active ADMIN may be left to undo. */
export const mayTakePower = ({ tipoUsuario, situacao }: UserUpdate): boolean =>
  tipoUsuario === 'USER' || (situacao !== undefined && situacao !== 'ATIVO')

export const isActiveAdmin = ({ tipoUsuario, situacao }: User): boolean =>
  tipoUsuario === 'ADMIN' && situacao === 'ATIVO'

/** Whether nobody of these is left without this one. */
export const isOnlyOne = (activeAdmins: number[], id: number): boolean =>
  activeAdmins.every((idUsuario) => idUsuario === id)

/** @throws Problem 409 where an account would become active whose e-mail nothing proves */
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
 * Whether a corrected e-mail needs a confirmation link: the ADMIN vouches for the address, but the
 * password may be a stranger's. An invitation proves the e-mail by its own link.
 */
export const awaitsConfirmation = (before: User, after: User): boolean =>
  !after.emailComprovado && !before.convitePendente && after.situacao !== 'BLOQUEADO'

/** Whether a change gives the account its name: those that were alike before names were compared keep theirs, and can be edited. */
export const takesName = (before: User, after: User): boolean =>
  before.nomeUsuario !== after.nomeUsuario || (before.situacao !== 'ATIVO' && after.situacao === 'ATIVO')

/** What a session was begun with; its programs go on saying the responsible's id. */
export const changesStanding = (before: User, after: User): boolean =>
  before.tipoUsuario !== after.tipoUsuario ||
  before.situacao !== after.situacao ||
  before.idResponsavel !== after.idResponsavel

/** Whether a change turns on a flag that opens health data. */
export const grantsHealthData = (before: User, after: User): boolean =>
  (after.acessoProntuario && !before.acessoProntuario) || (after.encarregadoDados && !before.encarregadoDados)

/**
 * Whether a change gives power, or another person the way into the account: an open session is not enough for it. The role counts
 * also where the account is not active yet.
 */
export const needsProof = (before: User, after: User): boolean =>
  grantsHealthData(before, after) ||
  before.emailUsuario !== after.emailUsuario ||
  (after.tipoUsuario === 'ADMIN' && before.tipoUsuario !== 'ADMIN') ||
  (isActiveAdmin(after) && !isActiveAdmin(before))

type ImportLine = UserImport['linhas'][number]

/** One line of a file: the account it makes, or what is wrong with it, by field. */
export interface JudgedLine {
  line: ImportLine
  erros: Record<string, string>
  /** Undefined where there is a fault. */
  draft: UserDraft | undefined
}

/** One key for all spellings of an e-mail that the database takes for the same. */
export const emailKey = (email: string): string => email.toLowerCase()

/** The e-mails of a file that can be looked up, each once. */
export const emailsOf = (lines: ImportLine[]): string[] => [
  ...new Set(lines.flatMap((line) => validEmail(line) ?? [])),
]

/** The names of a file that can be compared, each once. */
export const namesOf = (lines: ImportLine[]): string[] => [
  ...new Set(lines.flatMap((line) => validName(line) ?? [])),
]

/**
 * Names every fault of every line. Of lines with the same e-mail, or with names that look alike, the first is the one that counts.
 * @param namesInUse name → what is wrong with it, for those that another account has
 * @param weaknessOf what keeps the password of a line that is otherwise sound from being taken
 */
export const judgeLines = (
  lines: ImportLine[],
  emailsInUse: ReadonlySet<string>,
  namesInUse: ReadonlyMap<string, string>,
  weaknessOf: (draft: UserDraft) => string | undefined,
): JudgedLine[] => {
  const firstOf = new Map<string, number>()
  const firstOfName = new Map<string, number>()
  return lines.map((line) => {
    const { data, error } = UserDraft.safeParse(line)
    const erros: Record<string, string> = {}
    for (const { path, message } of error?.issues ?? []) erros[String(path[0])] ??= message
    const weakness = data && weaknessOf(data)
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
    return { line, erros, draft: Object.keys(erros).length === 0 ? data : undefined }
  })
}

/** The line, once somebody else has taken its e-mail. */
export const withEmailTaken = ({ line }: JudgedLine): JudgedLine => ({
  line,
  erros: { emailUsuario: problems.email_em_uso.detail },
  draft: undefined,
})

/** The lines whose name another account has by now. */
export const withNamesTaken = (judged: JudgedLine[], namesInUse: ReadonlyMap<string, string>): JudgedLine[] =>
  judged.flatMap((one) => {
    const nomeUsuario = one.draft && namesInUse.get(one.draft.nomeUsuario)
    return nomeUsuario === undefined ? [] : [{ ...one, erros: { nomeUsuario }, draft: undefined }]
  })

/** What is wrong in a file, by line of the file and field: `linhas.4.emailUsuario`. */
export const faultsOf = (judged: JudgedLine[]): Record<string, string> =>
  Object.fromEntries(
    judged.flatMap(({ line, erros }) =>
      Object.entries(erros).map(([field, message]) => [`linhas.${line.linha}.${field}`, message]),
    ),
  )

const validName = ({ nomeUsuario }: ImportLine): string | undefined =>
  UserDraft.shape.nomeUsuario.safeParse(nomeUsuario).data

const validEmail = ({ emailUsuario }: ImportLine): string | undefined => {
  const { data } = UserDraft.shape.emailUsuario.safeParse(emailUsuario)
  return data === undefined ? undefined : emailKey(data)
}
