import { problems, type User, UserDraft, type UserImport, type UserUpdate } from '@bi-manager/contract'

/** Whether a change asks for what only another active ADMIN may be left to undo. */
export const mayTakePower = ({ tipoUsuario, situacao }: UserUpdate): boolean =>
  tipoUsuario === 'USER' || (situacao !== undefined && situacao !== 'ATIVO')

export const isActiveAdmin = ({ tipoUsuario, situacao }: User): boolean =>
  tipoUsuario === 'ADMIN' && situacao === 'ATIVO'

/** Whether nobody of these is left without this one. */
export const isOnlyOne = (activeAdmins: number[], id: number): boolean =>
  activeAdmins.every((idUsuario) => idUsuario === id)

/** What a session was begun with; its programs go on saying the responsible's id. */
export const changesStanding = (before: User, after: User): boolean =>
  before.tipoUsuario !== after.tipoUsuario ||
  before.situacao !== after.situacao ||
  before.idResponsavel !== after.idResponsavel

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

/**
 * Names every fault of every line. Of lines with the same e-mail, the first is the one that counts.
 * @param weaknessOf what keeps the password of a line that is otherwise sound from being taken
 */
export const judgeLines = (
  lines: ImportLine[],
  emailsInUse: ReadonlySet<string>,
  weaknessOf: (draft: UserDraft) => string | undefined,
): JudgedLine[] => {
  const firstOf = new Map<string, number>()
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
    return { line, erros, draft: Object.keys(erros).length === 0 ? data : undefined }
  })
}

/** The line, once somebody else has taken its e-mail. */
export const withEmailTaken = ({ line }: JudgedLine): JudgedLine => ({
  line,
  erros: { emailUsuario: problems.email_em_uso.detail },
  draft: undefined,
})

/** What is wrong in a file, by line of the file and field: `linhas.4.emailUsuario`. */
export const faultsOf = (judged: JudgedLine[]): Record<string, string> =>
  Object.fromEntries(
    judged.flatMap(({ line, erros }) =>
      Object.entries(erros).map(([field, message]) => [`linhas.${line.linha}.${field}`, message]),
    ),
  )

const validEmail = ({ emailUsuario }: ImportLine): string | undefined => {
  const { data } = UserDraft.shape.emailUsuario.safeParse(emailUsuario)
  return data === undefined ? undefined : emailKey(data)
}
