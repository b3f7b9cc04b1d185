import {
  ApiProblem,
  type Connection,
  connectionEntity,
  connectionsApi,
  labelsOf,
  responsiblesApi,
} from '@bi-manager/contract'
import { TextInput } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, callList, messageOf } from '../../lib/api/api.ts'
import { readEntity } from '../../lib/api/entities.ts'
import { connectionsKey, usersKey } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { normalised } from '../../lib/text/search-text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { EntityForm } from '../../ui/entity-form/entity-form.tsx'
import { EntityPage, useEntityId } from '../../ui/entity-form/entity-page.tsx'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
import { SecretField } from '../../ui/fields/secret-field.tsx'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import { type SelectOption, searchOptions } from '../../ui/search-select/select-options.ts'
import { searchUsers } from '../../ui/search-select/user-options.ts'
import { AdvancedFields } from './advanced-fields.tsx'
import { ConnectionTestDialog } from './connection-test-dialog.tsx'
import {
  type ConnectionValues,
  credentialNames,
  draftOf,
  providerNames,
  required,
  updateOf,
  valuesOf,
} from './connection-values.ts'
import { expiryAfter, SecretExpiryField } from './secret-expiry-field.tsx'

const responsiblesKey = ['responsaveis'] as const

const labels = labelsOf(connectionEntity)

export const ConnectionFormPage = () => (
  <EntityPage
    id={useEntityId('item', 'idPowerBI')}
    queryKey={connectionsKey}
    endpoint={connectionsApi.get}
    title="Editar Powerbi"
    notFound="Powerbi não encontrado"
    listPath="/powerbi"
    fields={5}
  >
    {(connection) => <ConnectionForm connection={connection} />}
  </EntityPage>
)

const ConnectionForm = ({ connection }: { connection: Connection | undefined }) => {
  const queryClient = useQueryClient()
  const [tested, setTested] = useState<Connection>()
  const form = useEntityForm({
    entity: connection,
    valuesOf,
    required,
    secrets: ['password'],
    requiredMs: 3_000,
    save: (values, base) =>
      base
        ? call(
            connectionsApi.update,
            { params: { id: base.idPowerBI }, body: updateOf(values) },
            { ifMatch: base.versao },
          )
        : call(connectionsApi.create, { body: draftOf(values) }),
    reload: ({ idPowerBI }) => readEntity(connectionsApi.get, idPowerBI),
    onSaved: () => refreshAfter(queryClient, connectionEntity),
  })
  const { base } = form
  const testButton = (target: Connection) => (
    <ActionButton icon={IconPlugConnected} label="Testar conexão" onClick={() => setTested(target)} />
  )

  return (
    <>
      <EntityForm
        form={form}
        title={base ? 'Editar Powerbi' : 'Cadastrar Powerbi'}
        section="Powerbis"
        lead={base ? base.nome : 'A conta com que o portal entra no serviço de BI e lê os relatórios.'}
        listPath="/powerbi"
        registerPath="/Registerpowerbi"
        texts={{ created: 'Powerbi cadastrado!', updated: 'Powerbi editado' }}
        actions={base && testButton(base)}
        afterSave={testButton}
        display={{
          password: (value) => (value === null ? 'sem alteração' : 'uma senha nova'),
          provedor: (value) => providerNames[value as ConnectionValues['provedor']],
          tipoCredencial: (value) => credentialNames[value as ConnectionValues['tipoCredencial']],
        }}
      >
        <TextInput label="Nome do Powebi" maxLength={120} autoComplete="off" {...form.text('nome')} />
        <TextInput
          label={labels.username}
          description="Num service principal, o id do aplicativo (Application ID); num usuário mestre, o e-mail dele."
          maxLength={254}
          autoComplete="off"
          spellCheck={false}
          {...form.text('username')}
        />
        <SecretField
          label={labels.password}
          description="O segredo do cliente, ou a senha do usuário mestre. Depois de gravada, ninguém mais a vê."
          isKept={base !== undefined}
          maxLength={1024}
          {...form.field('password')}
          onChange={(password) => {
            form.set('password', password)
            form.set('validadeSegredo', expiryAfter(password, form))
          }}
        />
        <SecretExpiryField
          label={labels.validadeSegredo}
          connection={base}
          isOtherSecret={form.values.password !== null}
          value={form.values.validadeSegredo}
          onChange={(text) => form.set('validadeSegredo', text)}
          error={form.errors.validadeSegredo}
        />
        <ResponsibleField {...form.field('idResponsavel')} />
        <SearchSelect
          label={labels.clienteId}
          placeholder="Pesquise um usuário pelo nome ou e-mail"
          queryKey={usersKey}
          search={searchUsers}
          keepsText
          {...form.field('clienteId')}
        />
        <AdvancedFields
          // A new form resets the section to its initial state.
          key={base?.idPowerBI ?? 'novo'}
          form={form}
          isNew={base === undefined}
        />
      </EntityForm>
      <ConnectionTestDialog
        connection={tested}
        onClose={() => setTested(undefined)}
        hasUnsavedChanges={form.isDirty}
      />
    </>
  )
}

interface ResponsibleFieldProps {
  name: string
  value: SelectOption | null
  onChange: (option: SelectOption | null) => void
  error: string | undefined
}

/** The field 'Responsável': selects a registered unit or adds one under the typed name. */
const ResponsibleField = ({ error, ...field }: ResponsibleFieldProps) => {
  const queryClient = useQueryClient()
  const adding = useExclusiveMutation({
    mutationFn: addResponsible,
    onSuccess: (added) => {
      field.onChange(added)
      void queryClient.invalidateQueries({ queryKey: responsiblesKey })
    },
  })
  return (
    <SearchSelect
      label="Responsável"
      placeholder="Pesquise ou digite um nome novo"
      queryKey={responsiblesKey}
      search={searchResponsibles}
      keepsText
      {...field}
      onChange={(option) => {
        adding.reset()
        field.onChange(option)
      }}
      extra={{
        labelOf: (text, options) => (text && !isListed(text, options) ? `Adicionar “${text}”` : undefined),
        onChoose: (text) => adding.mutate(text),
      }}
      disabled={adding.isPending}
      description={adding.isPending ? `Adicionando “${adding.variables}”…` : undefined}
      error={adding.error ? faultOf(adding.error) : error}
    />
  )
}

const toOption = ({
  idResponsavel,
  nomeResponsavel,
}: {
  idResponsavel: number
  nomeResponsavel: string
}): SelectOption => ({ value: idResponsavel, label: nomeResponsavel })

const searchResponsibles = searchOptions(responsiblesApi.list, toOption)

const isListed = (name: string, options: SelectOption[]): boolean =>
  options.some(({ label }) => normalised(label) === normalised(name))

/**
 * Adds a unit, or returns the existing one of the same name: another user may have added it, or it
 * was not among the options shown.
 */
const addResponsible = async (name: string): Promise<SelectOption> => {
  try {
    return toOption(await call(responsiblesApi.create, { body: { nomeResponsavel: name } }))
  } catch (error) {
    if (!(error instanceof ApiProblem && error.codigo === 'responsavel_ja_cadastrado')) throw error
    const { rows } = await callList(responsiblesApi.list, {
      query: { busca: name.slice(0, 200), pagina: 1, tamanho: 100 },
    })
    const existing = rows.find(({ nomeResponsavel }) => normalised(nomeResponsavel) === normalised(name))
    if (!existing) throw error
    return toOption(existing)
  }
}

const faultOf = (error: unknown): string =>
  (error instanceof ApiProblem && error.campos.nomeResponsavel) || messageOf(error)
