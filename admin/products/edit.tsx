import {
  Box,
  Button,
  Link as MuiLink,
  Paper,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from "@mui/material";
import { useState } from "react";
import { useNotify, useRecordContext, useRefresh, useTranslate } from "react-admin";
import { Link } from "react-router-dom";
import { History } from "../history/history";
import { Ask } from "../parts/ask";
import { EditForm } from "../parts/edit-form";
import { amount, time } from "../parts/format";
import { PageHead } from "../parts/page-head";
import { ProductFields } from "./form";
import { withdrawPrice, type WholeProduct } from "./source";

export default function ProductEdit() {
  return (
    <EditForm
      subject="PRODUCT"
      fields={["name", "price", "categoryId", "isActive", "slug", "description"]}
      head={<PageHead />}
      form={<ProductFields />}
    >
      <ProductFacts />
    </EditForm>
  );
}

/** What a form does not show: the product in the shop, its prices, its orders and its history. */
function ProductFacts() {
  const translate = useTranslate();
  const product = useRecordContext<WholeProduct>();
  if (!product?.prices) return null;
  const { id, isActive, price, lowestPriceBefore, category, slug, version } = product;
  const filter = encodeURIComponent(JSON.stringify({ product: id }));
  return (
    <Box sx={{ display: "grid", gap: 3, mt: 3, maxWidth: 900 }}>
      <Box component="section">
        <Typography component="h2" variant="h2">
          {translate("shop.products.in_shop")}
        </Typography>
        <Typography>
          {isActive ? `${product.name}, ${amount(price)}` : translate("shop.products.not_in_shop")}
        </Typography>
        <Typography color="text.secondary">{`${category.slug}/${slug}`}</Typography>
        {lowestPriceBefore !== null && (
          <Typography>
            {translate("shop.products.lowest_before", { price: amount(lowestPriceBefore) })}
          </Typography>
        )}
        <MuiLink component={Link} to={`/orders?filter=${filter}`}>
          {translate("shop.products.orders")}
        </MuiLink>
      </Box>
      <Prices product={product} />
      <History subject="PRODUCT" id={id} version={version} />
    </Box>
  );
}

/** All prices with their times. One that was a mistake can be taken out of the lowest price before. */
function Prices({ product }: { readonly product: WholeProduct }) {
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const [asked, setAsked] = useState<{ price: string; from: string }>();
  return (
    <Box component="section">
      <Typography component="h2" variant="h2" id="prices">
        {translate("shop.products.prices")}
      </Typography>
      <Paper variant="outlined" sx={{ overflowX: "auto" }}>
        <Table size="small" aria-labelledby="prices">
          <TableHead>
            <TableRow>
              <TableCell align="right">{translate("shop.field.price")}</TableCell>
              <TableCell>{translate("shop.products.from")}</TableCell>
              <TableCell>{translate("shop.products.until")}</TableCell>
              <TableCell>{translate("shop.products.note")}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {product.prices.map(({ price, from, until, isWithdrawn }) => (
              <TableRow key={from}>
                <TableCell align="right">{amount(price)}</TableCell>
                <TableCell>{time(from)}</TableCell>
                <TableCell>
                  {until === null ? translate("shop.products.now") : time(until)}
                </TableCell>
                <TableCell>
                  {isWithdrawn && translate("shop.products.withdrawn")}
                  {!isWithdrawn && until !== null && (
                    <Button size="small" onClick={() => setAsked({ price, from })}>
                      {translate("shop.products.withdraw")}
                    </Button>
                  )}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Paper>
      {asked && (
        <Ask
          title={translate("shop.products.withdraw_title", { price: amount(asked.price) })}
          label={translate("shop.products.withdraw")}
          onClose={() => setAsked(undefined)}
          act={async () => {
            await withdrawPrice(product, asked.from);
            notify("shop.products.withdrawn_now", { type: "success" });
            refresh();
          }}
        >
          {translate("shop.products.withdraw_text")}
        </Ask>
      )}
    </Box>
  );
}
