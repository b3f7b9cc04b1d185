import {
  type Beneficiary,
  type PointBeneficiaries,
  pointBeneficiariesApi,
  type ReportPoint,
} from '@bi-manager/contract'
import { Group, Loader, Modal, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { call } from '../../lib/api/api.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import { birthText } from '../beneficiaries/birth-text.ts'
import { PurposeGate } from '../purpose/purpose-gate.tsx'
import { askForRecords } from './asked-records.ts'

interface PointBeneficiariesDialogProps {
  idRelatorio: number
  /** Undefined closes the dialog. */
  point: ReportPoint | undefined
  onClose: () => void
}

/** The beneficiaries behind a data point, after the purpose is stated. */
export const PointBeneficiariesDialog = ({ idRelatorio, point, onClose }: PointBeneficiariesDialogProps) => (
  <Modal
    opened={point !== undefined}
    onClose={onClose}
    title="Beneficiários por trás do ponto"
    size="36rem"
    centered
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    {point && (
      <PurposeGate>
        <PointList idRelatorio={idRelatorio} point={point} onClose={onClose} />
      </PurposeGate>
    )}
  </Modal>
)

/** Reads health data, so it is rendered only after a purpose was given. */
const PointList = ({
  idRelatorio,
  point,
  onClose,
}: {
  idRelatorio: number
  point: ReportPoint
  onClose: () => void
}) => {
  // Each reading is logged: it is neither repeated nor kept. The key names no value of the point.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['beneficiarios', 'ponto', useId()],
    queryFn: () => call(pointBeneficiariesApi.list, { params: { id: idRelatorio }, body: { ponto: point } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
  if (error) return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  if (!data)
    return <Loader role="status" aria-label="Carregando beneficiários" mx="auto" my="xl" display="block" />
  return (
    <Stack gap="sm" pt="xs">
      <Text role="status" c="dimmed" fz="sm">
        {sentenceOf(data)}
      </Text>
      {data.beneficiarios.length > 0 && (
        <ul aria-label="Beneficiários" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {data.beneficiarios.map((beneficiary) => (
            <li key={beneficiary.id}>
              <Row
                beneficiary={beneficiary}
                onOpen={() => {
                  onClose()
                  askForRecords(beneficiary)
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </Stack>
  )
}

const Row = ({ beneficiary, onOpen }: { beneficiary: Beneficiary; onOpen: () => void }) => (
  <UnstyledButton w="100%" py="0.5rem" onClick={onOpen}>
    <Group justify="space-between" wrap="nowrap">
      <span className={shared.breakable}>
        <VisuallyHidden>Prontuários de </VisuallyHidden>
        {beneficiary.nome_beneficiario}
        <Text component="span" display="block" c="dimmed" fz="xs">
          ID {beneficiary.id_beneficiario}
          {beneficiary.data_nascimento && ` · ${birthText(beneficiary)}`}
        </Text>
      </span>
      <IconChevronRight size={18} stroke={1.7} aria-hidden className={shared.dimmedIcon} />
    </Group>
  </UnstyledButton>
)

/** Returns how many are listed, how many are not registered, and how many more there are. */
export const sentenceOf = ({ beneficiarios, naoCadastrados, naoListados }: PointBeneficiaries): string => {
  const { length } = beneficiarios
  const listed =
    length === 0
      ? 'Nenhum beneficiário deste ponto está cadastrado no portal.'
      : length === 1
        ? '1 beneficiário. Escolha-o para ver os prontuários.'
        : `${length.toLocaleString('pt-BR')} beneficiários. Escolha um para ver os prontuários.`
  const unknown =
    naoCadastrados === 0
      ? ''
      : naoCadastrados === 1
        ? ' Há 1 ID que não está cadastrado.'
        : ` Há ${naoCadastrados.toLocaleString('pt-BR')} IDs que não estão cadastrados.`
  const more =
    naoListados === 0
      ? ''
      : naoListados === 1
        ? ' E mais 1 ID não cabe nesta lista: filtre o relatório.'
        : ` E mais ${naoListados.toLocaleString('pt-BR')} IDs não cabem nesta lista: filtre o relatório.`
  return `${listed}${unknown}${more}`
}
