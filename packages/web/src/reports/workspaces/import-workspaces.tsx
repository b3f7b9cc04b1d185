import {
  ALL_OPERADORAS,
  connectionsApi,
  type ExternalGroup,
  reportEntity,
  workspaceEntity,
} from '@bi-manager/contract'
import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconReportOff } from '@tabler/icons-react'
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { entityQuery } from '../../lib/api/entities.ts'
import { connectionsKey } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { ChooseGroups } from './choose-groups.tsx'
import { importGroups, type ReadGroup, withoutImported } from './import-groups.ts'
import { ImportGroupsForm, type ImportInput } from './import-groups-form.tsx'
import { ImportedGroups } from './imported-groups.tsx'
import { StepHeading } from './step-heading.tsx'
import { useGroupsReports } from './use-groups-reports.ts'
import { groupsQuery, searchConnections } from './workspaces-queries.ts'

interface ImportWorkspacesProps {
  isOpen: boolean
  onClose: () => void
}

const IMPORT_KEY = ['importar-workspaces']

/** 'Importar workspaces': registers several groups of a connection with their reports. */
export const ImportWorkspaces = ({ isOpen, onClose }: ImportWorkspacesProps) => {
  const phone = useMediaQuery('(max-width: 63.99em)', undefined, { getInitialValueInEffect: false })
  const { opening } = useDialogTarget(isOpen || undefined)
  const isBusy = useIsMutating({ mutationKey: IMPORT_KEY }) > 0
  return (
    <Modal
      opened={isOpen}
      onClose={() => !isBusy && onClose()}
      title="Importar workspaces"
      size="46rem"
      fullScreen={phone ?? false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Fechar a importação' }}
    >
      <Steps key={opening} onClose={onClose} />
    </Modal>
  )
}

const Steps = ({ onClose }: { onClose: () => void }) => {
  const [connection, setConnection] = useState<SelectOption<number> | null>(null)
  const [chosen, setChosen] = useState<ExternalGroup[]>([])
  const [isChosen, setIsChosen] = useState(false)
  const [isBack, setIsBack] = useState(false)
  const [input, setInput] = useState<ImportInput>({ lines: {}, operadora: ALL_OPERADORAS })
  const choose = (option: SelectOption<number> | null) => {
    setConnection(option)
    setChosen([])
  }
  if (connection && isChosen)
    return (
      <ReportsStep
        idPowerBi={connection.value}
        groups={chosen}
        onGroups={setChosen}
        input={input}
        onChange={(changed) => setInput((before) => ({ ...before, ...changed }))}
        onBack={() => {
          setIsChosen(false)
          setIsBack(true)
        }}
        onClose={onClose}
      />
    )
  return (
    <div className={shared.stackLg}>
      <StepHeading isFocused={isBack}>1. Escolha os grupos</StepHeading>
      <SearchSelect
        label="Power Bi"
        placeholder="Pesquise pelo nome"
        queryKey={connectionsKey}
        search={searchConnections}
        value={connection}
        onChange={choose}
      />
      {connection && (
        <GroupsStep
          idPowerBi={connection.value}
          name={connection.label}
          chosen={chosen}
          onChange={setChosen}
          onSubmit={() => setIsChosen(true)}
          onClose={onClose}
        />
      )}
    </div>
  )
}

interface GroupsStepProps {
  idPowerBi: number
  name: string
  chosen: ExternalGroup[]
  onChange: (chosen: ExternalGroup[]) => void
  onSubmit: () => void
  onClose: () => void
}

const GroupsStep = ({ idPowerBi, name, chosen, onChange, onSubmit, onClose }: GroupsStepProps) => {
  const { data: groups, error, isFetching, refetch } = useQuery(groupsQuery(idPowerBi))
  if (error && !groups)
    return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  if (!groups) return <SkeletonLines label="Carregando os grupos da conexão" />
  if (groups.length === 0) return <NoGroups idPowerBi={idPowerBi} name={name} />
  return (
    <ChooseGroups
      groups={groups}
      chosen={chosen}
      onChange={onChange}
      onSubmit={onSubmit}
      onCancel={onClose}
    />
  )
}

/** The local service has no group before the first publication; another connection lacks access. */
const NoGroups = ({ idPowerBi, name }: Pick<GroupsStepProps, 'idPowerBi' | 'name'>) => {
  const { data } = useQuery(entityQuery(connectionsKey, connectionsApi.get, idPowerBi))
  return data?.provedor === 'local' ? (
    <InlineMessage
      icon={IconReportOff}
      action={<ActionButton isMain label="Publicar relatório" to="/publicar" />}
    >
      O serviço local ainda não tem relatórios para importar. Publique o primeiro: o workspace nasce e é
      cadastrado com ele.
    </InlineMessage>
  ) : (
    <InlineMessage icon={IconReportOff}>
      A conexão {name} não enxerga nenhum grupo. Teste a conexão para saber o que falta.
    </InlineMessage>
  )
}

interface ReportsStepProps {
  idPowerBi: number
  groups: ExternalGroup[]
  onGroups: (groups: ExternalGroup[]) => void
  input: ImportInput
  onChange: (changed: Partial<ImportInput>) => void
  onBack: () => void
  onClose: () => void
}

const ReportsStep = (props: ReportsStepProps) => {
  const { idPowerBi, groups, onGroups, input, onChange, onBack, onClose } = props
  const queryClient = useQueryClient()
  const importing = useExclusiveMutation({
    mutationKey: IMPORT_KEY,
    mutationFn: (read: ReadGroup[]) => importGroups(call, { idPowerBi, groups: read, ...input }),
    onSuccess: (imported) => {
      // A second attempt must not register a workspace again.
      const known = new Map(imported.map(({ group }) => [group.idGrupo, group]))
      onGroups(groups.map((group) => known.get(group.idGrupo) ?? group))
      onChange({ lines: withoutImported(input.lines, imported) })
      refreshAfter(queryClient, workspaceEntity)
      refreshAfter(queryClient, reportEntity)
    },
  })
  const answers = useGroupsReports(idPowerBi, groups, !importing.isPending && !importing.data)
  if (importing.data)
    return <ImportedGroups imported={importing.data} onBack={() => importing.reset()} onClose={onClose} />
  return (
    <ImportGroupsForm
      answers={answers}
      input={input}
      onChange={onChange}
      isSaving={importing.isPending}
      onImport={(read) => importing.mutate(read)}
      onBack={onBack}
    />
  )
}
