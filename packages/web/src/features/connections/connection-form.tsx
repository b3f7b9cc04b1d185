import { type Connection, connectionEntity, connectionsApi, labelsOf } from '@bi-manager/contract'
import { Button, TextInput } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callWithProof } from '../../lib/api/proof.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { maskDay } from '../../ui/day-field/day-text.ts'
import { RecordForm } from '../../ui/record-form/record-form.tsx'
import { RecordPage, useRecordId } from '../../ui/record-form/record-page.tsx'
import { useRecordForm } from '../../ui/record-form/use-record-form.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import { searchUsers } from '../../ui/search-select/user-options.ts'
import { SecretField } from '../../ui/secret-field.tsx'
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
import { connectionsKey, getConnection } from './connections-queries.ts'
import { ResponsibleField } from './responsible-field.tsx'

const labels = labelsOf(connectionEntity)

export const ConnectionFormPage = () => (
  <RecordPage
    id={useRecordId('item')}
    queryKey={connectionsKey}
    load={getConnection}
    title="Editar Powerbi"
    notFound="Powerbi não encontrado"
    listPath="/powerbi"
    fields={5}
  >
    {(connection) => <ConnectionForm connection={connection} />}
  </RecordPage>
)

const ConnectionForm = ({ connection }: { connection: Connection | undefined }) => {
  const queryClient = useQueryClient()
  const [tested, setTested] = useState<Connection>()
  const form = useRecordForm({
    record: connection,
    valuesOf,
    required,
    secrets: ['password'],
    requiredMs: 3_000,
    save: (values, base) =>
      base
        ? callWithProof(
            connectionsApi.update,
            { params: { id: base.idPowerBI }, body: updateOf(values) },
            { ifMatch: base.versao },
          )
        : callWithProof(connectionsApi.create, { body: draftOf(values) }),
    reload: ({ idPowerBI }) => getConnection(idPowerBI),
    onSaved: () => refreshAfter(queryClient, connectionEntity),
  })
  const { base } = form
  const expiry = form.text('validadeSegredo')
  const testButton = (target: Connection) => (
    <Button
      variant="default"
      leftSection={<IconPlugConnected size={18} aria-hidden />}
      onClick={() => setTested(target)}
    >
      Testar conexão
    </Button>
  )

  return (
    <>
      <RecordForm
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
        />
        <TextInput
          label={labels.validadeSegredo}
          description="Opcional: o dia em que o segredo vence no Microsoft Entra. O portal avisa 14 dias antes. Ao trocar a senha, informe a data nova."
          placeholder="dd/mm/aaaa"
          inputMode="numeric"
          maxLength={10}
          autoComplete="off"
          {...expiry}
          onChange={({ currentTarget }) =>
            form.set('validadeSegredo', maskDay(currentTarget.value, form.values.validadeSegredo))
          }
        />
        <ResponsibleField {...form.field('idResponsavel')} />
        <SearchSelect
          label={labels.clienteId}
          placeholder="Pesquise um usuário pelo nome"
          queryKey={['usuarios']}
          search={searchUsers}
          {...form.field('clienteId')}
        />
        <AdvancedFields
          // A new form resets the section to its initial state.
          key={base?.idPowerBI ?? 'novo'}
          form={form}
          isNew={base === undefined}
        />
      </RecordForm>
      <ConnectionTestDialog
        connection={tested}
        onClose={() => setTested(undefined)}
        hasUnsavedChanges={form.isDirty}
      />
    </>
  )
}
