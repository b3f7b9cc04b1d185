import {
  fittingLine,
  labelsOf,
  MAX_WORKSPACE_NAME,
  type Workspace,
  type WorkspaceDraft,
  workspaceEntity,
  workspacesApi,
} from '@bi-manager/contract'
import { TextInput } from '@mantine/core'
import { IconTableImport } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { readEntity } from '../../lib/api/entities.ts'
import { connectionsKey, workspacesKey } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { EntityForm } from '../../ui/entity-form/entity-form.tsx'
import { EntityPage, useEntityId } from '../../ui/entity-form/entity-page.tsx'
import type { WholeBody } from '../../ui/entity-form/field-values.ts'
import { useEntityForm } from '../../ui/entity-form/use-entity-form.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { GroupField } from './group-field.tsx'
import { ImportReports } from './import-reports.tsx'
import { searchConnections } from './workspaces-queries.ts'

const labels = labelsOf(workspaceEntity)

export const WorkspaceFormPage = () => (
  <EntityPage
    id={useEntityId('id', 'idGrupoRelatorio')}
    queryKey={workspacesKey}
    endpoint={workspacesApi.get}
    title="Editar Workspace"
    notFound="Workspace não encontrado"
    listPath="/workspace"
  >
    {(workspace) => <WorkspaceForm workspace={workspace} />}
  </EntityPage>
)

const WorkspaceForm = ({ workspace }: { workspace: Workspace | undefined }) => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [importing, setImporting] = useState<Workspace>()
  const form = useEntityForm({
    entity: workspace,
    valuesOf,
    required: ['nomeGrupo', 'idGrupo', 'idPowerBi'],
    save: (values, base) =>
      base
        ? call(
            workspacesApi.update,
            { params: { id: base.idGrupoRelatorio }, body: draftOf(values) },
            { ifMatch: base.versao },
          )
        : call(workspacesApi.create, { body: draftOf(values) }),
    reload: ({ idGrupoRelatorio }) => readEntity(workspacesApi.get, idGrupoRelatorio),
    onSaved: () => refreshAfter(queryClient, workspaceEntity),
  })
  const { base, values } = form

  const chooseGroup = (group: SelectOption<string> | null) => {
    form.set('idGrupo', group)
    // A group chosen by name prefills an empty workspace name.
    if (group && group.label !== group.value && !values.nomeGrupo.trim())
      form.set('nomeGrupo', fittingLine(group.label, MAX_WORKSPACE_NAME))
  }
  const importButton = (target: Workspace, onPress?: () => void) => (
    <ActionButton
      icon={IconTableImport}
      label="Importar relatórios"
      onClick={() => {
        onPress?.()
        setImporting(target)
      }}
    />
  )

  /** Closes the import; after registering a new workspace, returns to the list. */
  const closeImport = () => {
    setImporting(undefined)
    if (!base) void navigate('/workspace')
  }

  return (
    <>
      <EntityForm
        form={form}
        title={base ? 'Editar Workspace' : 'Cadastrar Workspace'}
        section="Workspace"
        lead={base ? base.nomeGrupo : 'Um grupo de relatórios do Power Bi, com o nome que aparece no menu.'}
        listPath="/workspace"
        registerPath="/Registerworkspace"
        texts={{ created: 'Workspace cadastrado!', updated: 'Workspace editado!' }}
        actions={base && importButton(base)}
        // `startBlank` closes 'Workspace cadastrado!', so that only one dialog is open.
        afterSave={(saved, isNew) => isNew && importButton(saved, form.startBlank)}
      >
        <TextInput
          label={labels.nomeGrupo}
          placeholder="Digite o nome do Workspace"
          maxLength={MAX_WORKSPACE_NAME}
          {...form.text('nomeGrupo')}
        />
        <SearchSelect
          label={labels.idPowerBi}
          placeholder="Pesquise pelo nome"
          queryKey={connectionsKey}
          search={searchConnections}
          {...form.field('idPowerBi')}
        />
        <GroupField idPowerBi={values.idPowerBi?.value} {...form.field('idGrupo')} onChange={chooseGroup} />
      </EntityForm>
      <ImportReports workspace={importing} onClose={closeImport} />
    </>
  )
}

const valuesOf = (workspace: Workspace | undefined) => ({
  nomeGrupo: workspace?.nomeGrupo ?? '',
  idGrupo: workspace ? { value: workspace.idGrupo, label: workspace.idGrupo } : null,
  idPowerBi: workspace ? { value: workspace.idPowerBi, label: workspace.nomePowerBi } : null,
})

/** Returns the request body; the form is sent only when all required fields are filled. */
const draftOf = ({
  nomeGrupo,
  idGrupo,
  idPowerBi,
}: ReturnType<typeof valuesOf>): WholeBody<WorkspaceDraft> => ({
  nomeGrupo,
  idGrupo: idGrupo?.value ?? '',
  idPowerBi: idPowerBi?.value ?? 0,
})
