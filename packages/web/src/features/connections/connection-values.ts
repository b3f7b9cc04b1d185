import type { Connection, ConnectionDraft, ConnectionUpdate } from '@bi-manager/contract'
import { dayOfText, textOfDay } from '../../ui/day-field/day-text.ts'
import type { SelectOption } from '../../ui/search-select/select-options.ts'

/**
 * The form's values. '' in a choice means the server's default, allowed for new connections only.
 */
export interface ConnectionValues {
  nome: string
  username: string
  password: string | null
  idResponsavel: SelectOption | null
  clienteId: SelectOption | null
  provedor: Connection['provedor'] | ''
  tenantId: string
  applicationId: string
  tipoCredencial: Connection['tipoCredencial'] | ''
  /** dd/mm/aaaa as typed, or ''. */
  validadeSegredo: string
}

export const required = ['nome', 'username', 'password', 'idResponsavel', 'clienteId'] as const

export const valuesOf = (connection: Connection | undefined): ConnectionValues => ({
  nome: connection?.nome ?? '',
  username: connection?.username ?? '',
  password: connection ? null : '',
  idResponsavel: connection ? { value: connection.idResponsavel, label: connection.nomeResponsavel } : null,
  clienteId:
    connection?.clienteId == null
      ? null
      : { value: connection.clienteId, label: connection.nomeCliente ?? `Usuário ${connection.clienteId}` },
  provedor: connection?.provedor ?? '',
  tenantId: connection?.tenantId ?? '',
  applicationId: connection?.applicationId ?? '',
  tipoCredencial: connection?.tipoCredencial ?? '',
  validadeSegredo: textOfDay(connection?.validadeSegredo ?? undefined),
})

/**
 * Returns the body of a new connection; the form is sent only when all required fields are filled.
 */
export const draftOf = (values: ConnectionValues): ConnectionDraft => ({
  ...fieldsOf(values),
  password: values.password ?? '',
})

export const updateOf = (values: ConnectionValues): ConnectionUpdate => ({
  ...fieldsOf(values),
  ...(values.password === null ? {} : { password: values.password }),
})

const fieldsOf = (values: ConnectionValues) => {
  const { nome, username, idResponsavel, clienteId, provedor, tenantId, applicationId } = values
  const { tipoCredencial, validadeSegredo } = values
  return {
    nome,
    username: username.trim(),
    idResponsavel: idResponsavel?.value ?? 0,
    clienteId: clienteId?.value ?? 0,
    tenantId: tenantId.trim(),
    applicationId: applicationId.trim(),
    // An invalid day is sent unchanged, so that the server reports it at the field.
    validadeSegredo: dayOfText(validadeSegredo) ?? validadeSegredo,
    ...(provedor && { provedor }),
    ...(tipoCredencial && { tipoCredencial }),
  }
}

export const providerNames = { '': 'Padrão do servidor', local: 'Local', microsoft: 'Microsoft' }

export const credentialNames = {
  '': 'Conforme o Username',
  service_principal: 'Service principal',
  master_user: 'Usuário mestre',
}
