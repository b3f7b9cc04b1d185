import type { DataReading, DataType } from '@bi-manager/contract'
import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useId } from 'react'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { ColumnsTable } from './columns-table.tsx'

interface ColumnsSectionProps {
  /** The name of the file, if there are several. */
  file: string | undefined
  reading: DataReading
  isBusy: boolean
  /** The types are final. */
  isPublished: boolean
  fault: unknown
  onType: (name: string, type: DataType) => void
}

/** The columns as they were read, whose types can be corrected, above the first rows. */
export const ColumnsSection = ({
  file,
  reading,
  isBusy,
  isPublished,
  fault,
  onType,
}: ColumnsSectionProps) => {
  const heading = useId()
  const { colunas, amostra, avisos } = reading
  return (
    <section className={`${shared.panel} ${shared.stackSm}`} aria-labelledby={heading}>
      <div>
        <h2 id={heading} className={shared.subheading}>
          2. As colunas{file && ` de ${file}`}
        </h2>
        <p className={shared.underHeading}>
          O tipo de cada coluna foi reconhecido pelos valores. Corrija o que não estiver certo, como um código
          que parece número.
        </p>
      </div>
      <ErrorAlert error={fault} />
      {avisos.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {avisos.map((aviso) => (
            <p key={aviso}>{aviso}</p>
          ))}
        </Alert>
      )}
      <ColumnsTable
        label={file ? `Primeiras linhas de ${file}` : 'Primeiras linhas'}
        columns={colunas}
        rows={amostra}
        isBusy={isBusy}
        isPublished={isPublished}
        onType={onType}
      />
    </section>
  )
}
