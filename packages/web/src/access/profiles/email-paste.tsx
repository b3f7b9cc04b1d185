import { type EmailCheck, MEMBERS_AT_ONCE, type MemberCandidate, profilesApi } from '@bi-manager/contract'
import { Checkbox, Textarea } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import { counted } from '../../lib/text/counted.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import { CandidateName } from './candidate-name.tsx'
import type { MemberChoice } from './member-choice.ts'
import { type PastedEmail, pastedEmails } from './pasted-emails.ts'
import classes from './profiles.module.css'

/** A checked e-mail and its line in the pasted text. */
type CheckedLine = EmailCheck & Pick<PastedEmail, 'line'>

/** A pasted list of e-mails, with a result for each line. The users found are chosen at once. */
export const EmailPaste = ({ idPerfil: id, choice }: { idPerfil: number; choice: MemberChoice }) => {
  const { chosen, choose } = choice
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  /** The users that the last list chose; another list replaces them. */
  const [listed, setListed] = useState<MemberCandidate[]>([])
  const checking = useExclusiveMutation({
    mutationFn: async (pasted: PastedEmail[]): Promise<CheckedLine[]> => {
      const emails = pasted.map(({ email }) => email)
      const checks = await call(profilesApi.checkEmails, { params: { id }, body: { emails } })
      return checks.map((check, index) => ({ ...check, line: pasted[index]?.line ?? index + 1 }))
    },
    onSuccess: (lines) => {
      const found = lines.flatMap((line) => freePerson(line, choice) ?? [])
      const earlier = new Set(listed.map(({ idUsuario }) => idUsuario))
      choose(listed, false)
      choose(found, true)
      // Users who were chosen by search stay chosen.
      setListed(found.filter(({ idUsuario }) => earlier.has(idUsuario) || !chosen.has(idUsuario)))
    },
  })
  const check = () => {
    const emails = pastedEmails(text)
    const found = faultOf(emails.length)
    setFault(found)
    if (!found) checking.mutate(emails)
  }
  return (
    <div className={shared.stackMd}>
      <Form onSubmit={check} className={shared.stackXs}>
        <Textarea
          label="E-mails"
          description="Um por linha, ou separados por vírgula ou ponto e vírgula. Os nomes ao lado deles são ignorados."
          rows={6}
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            setFault(undefined)
          }}
          error={fault}
        />
        <ErrorAlert error={checking.error} />
        <div>
          <Button type="submit" variant="default" loading={checking.isPending}>
            Conferir
          </Button>
        </div>
      </Form>
      <div role="status" className={shared.note}>
        {checking.data && summaryOf(checking.data)}
      </div>
      {checking.data && <Results lines={checking.data} choice={choice} />}
    </div>
  )
}

/** The user of a line who can be chosen. */
const freePerson = ({ resultado, pessoa }: EmailCheck, { whyNot }: MemberChoice) =>
  resultado === 'encontrado' && pessoa && !whyNot(pessoa) ? pessoa : undefined

const faultOf = (count: number): string | undefined =>
  count === 0
    ? 'Cole ao menos um e-mail.'
    : count > MEMBERS_AT_ONCE
      ? `São ${count.toLocaleString('pt-BR')} linhas. Cole no máximo ${MEMBERS_AT_ONCE.toLocaleString('pt-BR')} de uma vez.`
      : undefined

const summaryOf = (lines: CheckedLine[]): string => {
  const found = lines.filter(({ resultado }) => resultado === 'encontrado').length
  const people = counted(found, 'pessoa encontrada', 'pessoas encontradas')
  const rest = lines.length > found ? ' Veja o motivo dos outros na lista.' : ''
  return `${people} em ${counted(lines.length, 'e-mail', 'e-mails')}.${missingText(lines)}${rest}`
}

/** Lines that a sentence names. */
const NAMED_LINES = 20
const list = new Intl.ListFormat('pt-BR')

/** Returns ' Sem usuário: linhas 2, 5 e 9.', or '' when each e-mail is a user's. */
const missingText = (lines: CheckedLine[]): string => {
  const missing = [...new Set(lines.filter(isMissing).map(({ line }) => String(line)))]
  if (missing.length === 0) return ''
  const more = missing.length - NAMED_LINES
  const named = more > 1 ? [...missing.slice(0, NAMED_LINES), `mais ${more}`] : missing
  return ` Sem usuário: ${missing.length === 1 ? 'linha' : 'linhas'} ${list.format(named)}.`
}

const isMissing = ({ resultado }: EmailCheck): boolean =>
  resultado === 'desconhecido' || resultado === 'invalido'

const reasons: Record<Exclude<EmailCheck['resultado'], 'encontrado'>, string> = {
  ja_membro: 'já participa deste perfil.',
  repetido: 'repetido, já está acima.',
  desconhecido: 'nenhum usuário tem este e-mail.',
  invalido: 'não é um e-mail.',
}

/** Lines rendered at first. */
const ROWS = 100

interface ResultsProps {
  lines: CheckedLine[]
  choice: MemberChoice
}

const Results = ({ lines, choice }: ResultsProps) => {
  const { chosen, choose } = choice
  const { shown, hidden, showMore } = useLimitedList(lines, ROWS)
  return (
    <div className={shared.outlined}>
      <ol className={`${classes.candidates} ${shared.divided}`} aria-label="Resultado por linha">
        {shown.map((line, index) => {
          const { email, resultado, line: number } = line
          const person = freePerson(line, choice)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            <li key={index}>
              {person ? (
                <Checkbox
                  className={shared.breakable}
                  label={<CandidateName person={person} />}
                  checked={chosen.has(person.idUsuario)}
                  onChange={({ currentTarget }) => choose([person], currentTarget.checked)}
                />
              ) : (
                <Unusable
                  email={email}
                  isFault={isMissing(line)}
                  reason={`Linha ${number}: ${resultado === 'encontrado' ? 'entra ao salvar.' : reasons[resultado]}`}
                />
              )}
            </li>
          )
        })}
      </ol>
      {hidden > 0 && (
        <Button variant="subtle" fullWidth onClick={showMore}>
          Mostrar mais {hidden.toLocaleString('pt-BR')}
        </Button>
      )}
    </div>
  )
}

const Unusable = ({ email, isFault, reason }: { email: string; isFault: boolean; reason: string }) => {
  const IconOf = isFault ? IconAlertTriangle : IconCheck
  return (
    <span className={classes.unusable} data-fault={isFault || undefined}>
      <IconOf size={20} aria-hidden />
      <span className={shared.breakable}>
        {email}
        <span>{reason}</span>
      </span>
    </span>
  )
}
