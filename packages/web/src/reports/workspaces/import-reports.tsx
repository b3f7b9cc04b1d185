import {
  ApiProblem,
  type Report,
  reportEntity,
  reportRegistrationsApi,
  type Workspace,
} from '@bi-manager/contract'
import { Button, Modal, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCircleCheck, IconReportOff } from '@tabler/icons-react'
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../lib/api/api.ts'
import { groupReportsQuery } from '../../lib/api/entity-queries.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { focusOnMount } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { type importOf, isOpen, lineOf } from './import-draft.ts'
import { ImportForm } from './import-form.tsx'
import { ImportLineFields } from './import-line.tsx'
import classes from './import-reports.module.css'

interface ImportReportsProps {
  /** Undefined closes the dialog. */
  workspace: Workspace | undefined
  onClose: () => void
}

const IMPORT_KEY = ['importar-relatorios']

/** 'Importar relatórios': registers several of the workspace's reports at the provider at once. */
export const ImportReports = ({ workspace, onClose }: ImportReportsProps) => {
  const phone = useMediaQuery('(max-width: 63.99em)', undefined, { getInitialValueInEffect: false })
  const { shown, opening } = useDialogTarget(workspace)
  const isBusy = useIsMutating({ mutationKey: IMPORT_KEY }) > 0
  return (
    <Modal
      opened={workspace !== undefined}
      onClose={() => !isBusy && onClose()}
      title={`Importar relatórios de ${shown?.nomeGrupo ?? ''}`}
      size="46rem"
      fullScreen={phone ?? false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {shown && <Import key={opening} workspace={shown} onClose={onClose} />}
    </Modal>
  )
}

const Import = ({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) => {
  const queryClient = useQueryClient()
  // Always refetched: reports may have been published since the last look.
  const {
    data: reports,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...groupReportsQuery(workspace),
    staleTime: 0,
  })
  const importing = useExclusiveMutation({
    mutationKey: IMPORT_KEY,
    mutationFn: (relatorios: ReturnType<typeof importOf>) =>
      call(reportRegistrationsApi.import, {
        params: { id: workspace.idGrupoRelatorio },
        body: { relatorios },
      }),
    // Not awaited, because it also refetches this dialog's list from the provider.
    onSuccess: () => refreshAfter(queryClient, reportEntity),
    onError: (failure) => isAlreadyRegistered(failure) && void refetch(),
  })

  if (importing.data) return <Imported reports={importing.data} onClose={onClose} />
  if (error && !reports)
    return (
      <WithClose onClose={onClose}>
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      </WithClose>
    )
  if (!reports) return <SkeletonLines label="Carregando os relatórios do grupo" />
  if (reports.length === 0)
    return (
      <WithClose onClose={onClose}>
        <InlineMessage icon={IconReportOff}>
          A conexão {workspace.nomePowerBi} não enxerga nenhum relatório neste grupo. Publique um no serviço
          de BI, ou confira se ela tem acesso ao grupo.
        </InlineMessage>
      </WithClose>
    )
  if (reports.every(({ jaCadastrado }) => jaCadastrado))
    return (
      <WithClose onClose={onClose}>
        <InlineMessage icon={IconCircleCheck}>
          {reports.length === 1
            ? 'O único relatório deste grupo já está cadastrado.'
            : `Os ${reports.length} relatórios deste grupo já estão cadastrados.`}
        </InlineMessage>
      </WithClose>
    )
  if (!reports.some(isOpen))
    return (
      <WithClose onClose={onClose}>
        <InlineMessage icon={IconReportOff}>
          Nenhum relatório deste grupo pode ser importado. Veja o motivo de cada um.
        </InlineMessage>
        {reports.map((report) => (
          <ImportLineFields
            key={report.reportId}
            report={report}
            line={lineOf({}, report)}
            usual=""
            faults={undefined}
            onChange={() => undefined}
          />
        ))}
      </WithClose>
    )
  return (
    <ImportForm
      reports={reports}
      error={importing.error}
      isSaving={importing.isPending}
      onImport={(relatorios) => importing.mutate(relatorios)}
      onCancel={onClose}
    />
  )
}

/** Another user has registered one of the reports: the marks on the screen are outdated. */
const isAlreadyRegistered = (failure: unknown): boolean =>
  failure instanceof ApiProblem &&
  (failure.status === 409 || Object.keys(failure.campos).some((field) => field.endsWith('.reportId')))

const WithClose = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <>
    {children}
    <div className={shared.buttonsAtEnd}>
      <Button onClick={onClose}>Fechar</Button>
    </div>
  </>
)

const Imported = ({ reports, onClose }: { reports: Report[]; onClose: () => void }) => (
  <Stack align="center" gap={0}>
    <IconCircleCheck size={44} stroke={1.4} aria-hidden className={shared.accent} />
    <Text role="status" mt="0.5rem" mb="1rem" fw={600}>
      {reports.length === 1 ? '1 relatório importado!' : `${reports.length} relatórios importados!`}
    </Text>
    <ul className={classes.resultList}>
      {reports.map(({ idRelatorio, nomeRelatorio, operadoraRelatorio }) => (
        <li key={idRelatorio}>
          {nomeRelatorio} <span className={shared.note}>{operadoraRelatorio}</span>
        </li>
      ))}
    </ul>
    <div className={shared.buttons}>
      <ActionButton label="Ver relatórios" to="/relatorio" />
      <Button onClick={onClose} ref={focusOnMount}>
        Fechar
      </Button>
    </div>
  </Stack>
)
