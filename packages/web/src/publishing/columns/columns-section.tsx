import type { ChosenNotation, ChosenPlace, DataReading, DataType } from '@bi-manager/contract'
import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useId } from 'react'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import classes from './columns.module.css'
import { ColumnsTable } from './columns-table.tsx'
import { hasNotation, NotationFields } from './notation-fields.tsx'
import { hasChoice, PlaceFields } from './place-fields.tsx'

interface ColumnsSectionProps {
  /** The name of the file, if there are several. */
  file: string | undefined
  reading: DataReading
  isBusy: boolean
  /** The types are final. */
  isPublished: boolean
  fault: unknown
  onType: (name: string, type: DataType) => void
  onPlace: (place: ChosenPlace) => void
  onNotation: (notation: ChosenNotation) => void
}

/** The columns as they were read, whose types can be corrected, above the first rows. */
export const ColumnsSection = ({
  file,
  reading,
  isBusy,
  isPublished,
  fault,
  onType,
  onPlace,
  onNotation,
}: ColumnsSectionProps) => {
  const heading = useId()
  const { colunas, amostra, avisos, erros, lugar, escrita } = reading
  const isRead = erros.length === 0
  return (
    <section className={`${shared.panel} ${shared.stackSm}`} aria-labelledby={heading}>
      <div>
        <h2 id={heading} className={shared.subheading}>
          2. As colunas{file && ` de ${file}`}
        </h2>
        <p className={shared.underHeading}>
          {isRead
            ? 'O tipo de cada coluna foi reconhecido pelos valores. Corrija o que não estiver certo, como um código que parece número.'
            : 'O arquivo não pôde ser lido assim. Escolha onde estão os dados.'}
        </p>
      </div>
      <ErrorAlert error={fault || erros.join(' ')} />
      <div className={classes.choices}>
        {hasChoice(lugar) && (
          <PlaceFields lugar={lugar} disabled={isBusy || isPublished} onChange={onPlace} />
        )}
        {isRead && hasNotation(escrita) && (
          <NotationFields
            escrita={escrita}
            columns={colunas}
            disabled={isBusy || isPublished}
            onChange={onNotation}
          />
        )}
      </div>
      {avisos.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {avisos.map((aviso) => (
            <p key={aviso}>{aviso}</p>
          ))}
        </Alert>
      )}
      {isRead && (
        <ColumnsTable
          label={file ? `Primeiras linhas de ${file}` : 'Primeiras linhas'}
          columns={colunas}
          rows={amostra}
          isBusy={isBusy}
          isPublished={isPublished}
          isInDoubt={escrita.marcaEmDuvida}
          isOrderInDoubt={escrita.ordemEmDuvida}
          onType={onType}
        />
      )}
    </section>
  )
}
