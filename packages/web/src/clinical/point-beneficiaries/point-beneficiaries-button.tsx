import type { ReportPoint } from '@bi-manager/contract'
import { VisuallyHidden } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { PointBeneficiariesDialog } from './point-beneficiaries-dialog.tsx'

interface PointBeneficiariesButtonProps {
  idRelatorio: number | undefined
  /** Beneficiaries can be listed behind the selected data point. */
  hasPoint: boolean
  /** Returns the selected data point as it is now. */
  selectedPoint: () => Promise<ReportPoint | undefined>
}

/** 'Ver beneficiários', for people with access to medical records while a data point is selected. */
export const PointBeneficiariesButton = ({
  idRelatorio,
  hasPoint,
  selectedPoint,
}: PointBeneficiariesButtonProps) => {
  const { data: user } = useQuery(currentUserQuery)
  const [point, setPoint] = useState<ReportPoint>()
  if (user?.acessoProntuario !== true || idRelatorio === undefined) return null
  return (
    <>
      <VisuallyHidden role="status">
        {hasPoint && 'Ponto selecionado. O botão Ver beneficiários está na barra do relatório.'}
      </VisuallyHidden>
      {hasPoint && (
        <ActionButton
          icon={IconUsers}
          label="Ver beneficiários"
          size="sm"
          onClick={async () => setPoint(await selectedPoint())}
        />
      )}
      <PointBeneficiariesDialog idRelatorio={idRelatorio} point={point} onClose={() => setPoint(undefined)} />
    </>
  )
}
