import type { Connection, SecretReading } from '@bi-manager/contract'
import { textOfDay } from '../../ui/day-field/day-text.ts'
import { DayTextField } from '../../ui/day-field/day-text-field.tsx'
import shared from '../../ui/shared.module.css'
import type { ConnectionValues } from './connection-values.ts'

interface SecretExpiryFieldProps {
  label: string
  /** Undefined for a new connection. */
  connection: Connection | undefined
  /** The form has another secret than the connection. */
  isOtherSecret: boolean
  /** dd/mm/aaaa as typed. */
  value: string
  onChange: (text: string) => void
  error: string | undefined
}

/** 'Validade do segredo', with the day that was read from Microsoft. */
export const SecretExpiryField = ({ label, value, onChange, error, ...known }: SecretExpiryFieldProps) => {
  const { connection, isOtherSecret } = known
  const earlier = connection && isOtherSecret ? textOfDay(connection.segredoExpiraEm ?? undefined) : ''
  return (
    <div>
      <DayTextField
        label={label}
        name="validadeSegredo"
        description={descriptionOf(isOtherSecret ? undefined : connection)}
        value={value}
        onChange={onChange}
        error={error}
      />
      <div role="status">
        {earlier && !value && (
          <p className={shared.fieldWarning}>
            A senha mudou: informe quando o segredo novo vence. O anterior vencia em {earlier}.
          </p>
        )}
      </div>
    </div>
  )
}

type Known = Pick<ConnectionValues, 'password' | 'validadeSegredo'>

/**
 * Returns the text of the field after the password changed. Another secret has another date; with
 * the earlier secret, the date that was typed for the other one is dropped.
 */
export const expiryAfter = (
  password: string | null,
  { values, opened }: { values: Known; opened: Known },
): string => {
  if (password === null) return opened.validadeSegredo
  const isFirstKey = values.password === null
  return isFirstKey && values.validadeSegredo === opened.validadeSegredo ? '' : values.validadeSegredo
}

const descriptionOf = (connection: Connection | undefined): string => {
  const { leituraSegredo, segredoExpiraEm } = connection ?? {}
  const day = textOfDay(segredoExpiraEm ?? undefined)
  return leituraSegredo === 'lida'
    ? `Lido do Microsoft Entra: vence em ${day}. Vale esta data, mesmo que outra seja informada aqui.`
    : `O dia em que o segredo vence no Microsoft Entra. O portal avisa 30, 7 e 1 dias antes.${leituraSegredo ? ` ${faults[leituraSegredo]}` : ''}`
}

const faults: Record<Exclude<SecretReading, 'lida'>, string> = {
  sem_permissao: 'O aplicativo não tem permissão para o portal ler a data no Microsoft Graph.',
  nao_encontrada: 'O Microsoft Graph não mostra este segredo entre os do aplicativo.',
  falhou: 'O Microsoft Graph não respondeu à última leitura.',
}
