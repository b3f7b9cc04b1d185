import type { ChosenPlace, DataColumn, DataReading, DataType } from '@bi-manager/contract'
import { Alert, NativeSelect } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useId } from 'react'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { hasChoice, PlaceFields } from './place-fields.tsx'
import classes from './publishing.module.css'
import { shownValue } from './shown-value.ts'

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
}

const typeNames: Record<DataColumn['tipo'], string> = {
  TEXTO: 'Texto',
  INTEIRO: 'Número inteiro',
  NUMERO: 'Número',
  DATA: 'Data',
  DATA_HORA: 'Data e hora',
  LOGICO: 'Sim ou não',
  OUTRO: 'Outro',
}
const shownNames = { MOEDA: 'em reais', PERCENTUAL: 'percentual' }
const choices = (Object.keys(typeNames) as DataColumn['tipo'][]).filter((type) => type !== 'OUTRO')

const isNumber = (tipo: DataColumn['tipo'] | undefined) => tipo === 'INTEIRO' || tipo === 'NUMERO'

/** Greatest number of sample rows that are shown. */
const SHOWN = 8

/** The columns as they were read, whose types can be corrected, above the first rows. */
export const ColumnsSection = ({
  file,
  reading,
  isBusy,
  isPublished,
  fault,
  onType,
  onPlace,
}: ColumnsSectionProps) => {
  const heading = useId()
  const rowsOf = file ? `Primeiras linhas de ${file}` : 'Primeiras linhas'
  const { colunas, amostra, avisos, erros, lugar } = reading
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
      {hasChoice(lugar) && <PlaceFields lugar={lugar} disabled={isBusy || isPublished} onChange={onPlace} />}
      {avisos.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {avisos.map((aviso) => (
            <p key={aviso}>{aviso}</p>
          ))}
        </Alert>
      )}
      {isRead && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
        <section className={classes.sample} aria-label={rowsOf} tabIndex={0} aria-busy={isBusy}>
          <table className={shared.table}>
            <thead>
              <tr>
                {colunas.map(({ nome, rotulo, tipo, notacao }) => (
                  <th key={nome} scope="col" className={isNumber(tipo) ? classes.number : undefined}>
                    <span className={classes.name}>{rotulo}</span>
                    <NativeSelect
                      size="xs"
                      aria-label={`Tipo de ${rotulo}`}
                      disabled={tipo === 'OUTRO' || isBusy || isPublished}
                      value={tipo}
                      data={(tipo === 'OUTRO' ? ['OUTRO' as const] : choices).map((value) => ({
                        value,
                        label: typeNames[value],
                      }))}
                      onChange={({ currentTarget: { value } }) => onType(nome, value as DataType)}
                    />
                    {notacao && <span className={shared.detail}>{shownNames[notacao]}</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {amostra.slice(0, SHOWN).map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id and keep their order
                <tr key={index}>
                  {row.map((value, column) => (
                    <td
                      key={colunas[column]?.nome}
                      className={isNumber(colunas[column]?.tipo) ? classes.number : undefined}
                    >
                      {value === null ? (
                        <span className={shared.dimmed}>vazio</span>
                      ) : (
                        shownValue(value, colunas[column])
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}
