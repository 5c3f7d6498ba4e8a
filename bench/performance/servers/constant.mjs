// Answers every request with the same bytes, those of the file in BODY.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const { BODY, HOST, PORT } = process.env;
const body = readFileSync(BODY);
const headers = {
  "content-type": "application/json; charset=utf-8",
  "content-length": body.length,
};

createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(PORT), HOST);
