import type { Connection, ConnectionDraft, ConnectionUpdate } from '@bi-manager/contract'
import { dayOfText, textOfDay } from '../../ui/day-field/day-text.ts'
import type { WholeBody } from '../../ui/entity-form/field-values.ts'

export const required = ['nome', 'username', 'password', 'idResponsavel', 'clienteId'] as const

/** A choice without a value means the server's default, allowed for new connections only. */
const byDefault = '' as const

export const valuesOf = (connection: Connection | undefined) => ({
  nome: connection?.nome ?? '',
  username: connection?.username ?? '',
  password: connection ? null : '',
  idResponsavel: connection ? { value: connection.idResponsavel, label: connection.nomeResponsavel } : null,
  clienteId:
    connection?.clienteId == null
      ? null
      : { value: connection.clienteId, label: connection.nomeCliente ?? `Usuário ${connection.clienteId}` },
  provedor: connection?.provedor ?? byDefault,
  tenantId: connection?.tenantId ?? '',
  applicationId: connection?.applicationId ?? '',
  tipoCredencial: connection?.tipoCredencial ?? byDefault,
  perfilPrincipal: connection?.perfilPrincipal ?? '',
  /** dd/mm/aaaa as typed, or ''. */
  validadeSegredo: textOfDay(connection?.validadeSegredo ?? undefined),
})

export type ConnectionValues = ReturnType<typeof valuesOf>

/**
 * Returns the body of a new connection; the form is sent only when all required fields are filled.
 */
export const draftOf = (values: ConnectionValues): WholeBody<ConnectionDraft> => ({
  ...fieldsOf(values),
  password: values.password ?? '',
})

export const updateOf = (values: ConnectionValues): WholeBody<ConnectionUpdate> => ({
  ...fieldsOf(values),
  password: values.password ?? undefined,
})

const fieldsOf = (values: ConnectionValues) => {
  const { nome, username, idResponsavel, clienteId, provedor, tenantId, applicationId } = values
  const { tipoCredencial, perfilPrincipal, validadeSegredo } = values
  return {
    nome,
    username: username.trim(),
    idResponsavel: idResponsavel?.value ?? 0,
    clienteId: clienteId?.value ?? 0,
    tenantId: tenantId.trim(),
    applicationId: applicationId.trim(),
    perfilPrincipal: perfilPrincipal.trim(),
    // An invalid day is sent unchanged, so that the server reports it at the field.
    validadeSegredo: dayOfText(validadeSegredo) ?? validadeSegredo,
    provedor: provedor || undefined,
    tipoCredencial: tipoCredencial || undefined,
  }
}

export const providerNames = { '': 'Padrão do servidor', local: 'Local', microsoft: 'Microsoft' }

export const credentialNames = {
  '': 'Conforme o Username',
  service_principal: 'Service principal',
  master_user: 'Usuário mestre',
}
