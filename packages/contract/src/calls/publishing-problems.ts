/** Problems of publishing reports and their data. */
export const publishingProblems = {
  dados_recusados: {
    status: 415,
    title: 'Arquivo recusado',
    detail: 'Envie um arquivo CSV, XLSX ou Parquet.',
  },
  caminho_recusado: {
    status: 415,
    title: 'Arquivo recusado',
    detail:
      'A pasta tem um arquivo com nome repetido, em pastas demais, que começa por ponto, ou com caracteres que a pasta de dados não aceita: * ? [ ] { } \\',
  },
  caminho_fora_da_pasta: {
    status: 415,
    title: 'Arquivo recusado',
    detail:
      'Um arquivo tem um caminho que sai da pasta, como ../dados.csv. Use só caminhos de dentro dela, como area/relatorio.json.',
  },
  rascunho_inexistente: {
    status: 404,
    title: 'Arquivo expirado',
    detail: 'O arquivo enviado não está mais guardado. Envie-o de novo.',
  },
  rascunhos_demais: {
    status: 503,
    title: 'Muitos arquivos enviados',
    detail:
      'Há arquivos demais à espera de publicação, de todas as pessoas. Feche as outras páginas em que você publica, ou tente de novo mais tarde: cada arquivo é apagado quando se deixa a página que o enviou, ou depois de um dia.',
  },
  publicacao_em_andamento: {
    status: 409,
    title: 'Publicação em andamento',
    detail: 'Outra publicação está em andamento. Aguarde um instante e tente de novo.',
  },
  troca_em_andamento: {
    status: 409,
    title: 'Troca em andamento',
    detail: 'Os dados deste relatório já estão sendo trocados. Aguarde o fim da troca e tente de novo.',
  },
  servico_local_ausente: {
    status: 409,
    title: 'Sem serviço de relatórios local',
    detail:
      'O portal não tem conexão com um serviço de relatórios local. Ligue-o com REPORTS_ENABLED=true, ou cadastre um Powerbi com o provedor Local.',
  },
} as const
