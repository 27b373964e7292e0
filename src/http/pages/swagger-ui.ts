/** The script and stylesheet of Swagger UI, which show the API reference. Reading them may read a file. */
export type SwaggerUi = Readonly<{ script: string; stylesheet: string }>;
